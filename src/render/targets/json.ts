import { checkAccessModel } from '../../access/access-file.js';
import { type AccessModel, canonicalRules } from '../../access/access-model.js';
import { type Target, toOpening } from '../model.js';
import { readable, requireSameLines } from '../sections.js';

/** The chosen rules in the form of `access.json`, with the digest of all rules. */
export const json: Target = {
  name: 'json',
  showsRules: true,
  render,
  parse: (text) =>
    readable('json', () => {
      const model = checkAccessModel(JSON.parse(text));
      requireSameLines('json', text, render(model));
      return model.rules.map(toOpening);
    }),
};

function render({ schema, stack, digest, rules, endpoints }: AccessModel): string {
  const model = {
    schema,
    stack,
    digest,
    rules: canonicalRules(rules),
    ...(endpoints && { endpoints }),
  };
  return `${JSON.stringify(model, null, 2)}\n`;
}
