import { resourceOf } from '../../reach/read/address.js';
import { list, object, text } from '../../reach/read/json.js';
import {
  dependencies,
  references,
  type TerraformResource,
  type TerraformStackJson,
} from '../../reach/read/terraform-json.js';
import { makeFacts, type Reading, toBoolean, unreadValue } from '../../reach/rules/reading.js';
import { isSpelled, type Reference, readExpressions } from '../../terraform/expressions.js';

/** Arguments of every resource that are read here; comments decide nothing, nor does most order. */
export const ARGUMENTS = ['//', 'depends_on', 'lifecycle', 'provider'];

export function isArgument(name: string): boolean {
  return ARGUMENTS.includes(name);
}

export function readArguments(resource: TerraformResource, stack: TerraformStackJson): Reading {
  const { address, body } = resource;
  const lifecycle = object(body.lifecycle);
  const precondition = readConditions(resource, lifecycle.precondition, stack);
  const postcondition = readConditions(resource, lifecycle.postcondition, stack);
  const rest = Object.entries(lifecycle).filter(([name]) => !LIFECYCLE.has(name));
  return {
    facts: [
      ...makeFacts({ kind: 'control', resource: address }, CONTROL, { provider: body.provider }),
      ...makeFacts({ kind: 'safeguard', resource: address }, SAFEGUARDS, {
        prevent_destroy: toBoolean(lifecycle.prevent_destroy) === true ? ['on'] : [],
        ignore_changes: lifecycle.ignore_changes,
        depends_on: dependencies(body).filter((name) => name.startsWith('data.')),
        replace_triggered_by: lifecycle.replace_triggered_by,
        precondition: precondition.refused,
        postcondition: postcondition.refused,
      }),
    ],
    unread: [
      ...Object.entries({ precondition, postcondition }).flatMap(([name, { unread }]) =>
        unread.map((condition) => unreadValue(address, `lifecycle.${name}`, NOT_OURS, condition)),
      ),
      ...rest.map(([name, value]) =>
        unreadValue(address, `lifecycle.${name}`, 'the argument is not known', value),
      ),
    ],
  };
}

const NOT_OURS = 'the condition is not one of this package';

const CONTROL = {
  provider: ['provider', 'any', 'another provider, with another account or region, makes it'],
} as const;

const NO_LONGER_REFUSED = 'a deploy no longer refuses what this condition refused';

const SAFEGUARDS = {
  prevent_destroy: ['prevent_destroy', 'removed', 'a deploy may destroy it'],
  ignore_changes: ['ignored changes', 'any', 'what is written becomes true, or no longer does'],
  depends_on: ['data sources waited for', 'removed', 'it no longer waits for what refuses'],
  replace_triggered_by: ['replacement triggers', 'added', 'it is replaced whenever that changes'],
  precondition: ['preconditions', 'removed', NO_LONGER_REFUSED],
  postcondition: ['postconditions', 'removed', NO_LONGER_REFUSED],
} as const;

const LIFECYCLE = new Set([
  'replace_triggered_by',
  'create_before_destroy',
  'prevent_destroy',
  'ignore_changes',
  'precondition',
  'postcondition',
]);

/** Reads the refusals of a deploy, each by what it compares; the compared values may change. */
function readConditions(
  { address }: TerraformResource,
  conditions: unknown,
  stack: TerraformStackJson,
): { readonly refused: string[]; readonly unread: unknown[] } {
  const read = list(conditions).map((one) => {
    const { condition, error_message: _, ...rest } = object(one);
    const refusal = readRefusal(text(condition), address, stack);
    return { one, refusal: Object.keys(rest).length === 0 ? refusal : undefined };
  });
  return {
    refused: read.flatMap(({ refusal }) => refusal ?? []),
    unread: read.flatMap(({ one, refusal }) => (refusal === undefined ? [one] : [])),
  };
}

/**
 * Reads what a condition of this package refuses; undefined for any other, or if it cannot refuse.
 */
function readRefusal(
  condition: string,
  address: string,
  stack: TerraformStackJson,
): string | undefined {
  const { references: all, texts } = readExpressions(condition);
  const [{ path, text: name } = NOTHING] = all;
  const [written = ''] = texts;
  const is = (like: string) => isSpelled(condition, `\${${like}}`);
  const [type, own, output, value = ''] = path;
  if (type === 'terraform_data' && output === 'output' && is(`${name} == "${written}"`)) {
    const memory = `${type}.${own}`;
    const found = stack.resources.find((one) => one.address === memory);
    const remembered = object(found?.body.input)[value];
    const isOwn = !stack.resources.some(
      (other) => other.address !== address && conditionsName(other, memory),
    );
    return isOwn && JSON.stringify(remembered) === `"${written}"`
      ? `another ${value} than was deployed`
      : undefined;
  }
  if (/^\d+$/.test(written) && is(`self.endpoint_owner_account_id == "${written}"`)) {
    return `an endpoint that is not of account ${written}`;
  }
  const states = texts.map((one) => `"${one}"`).join(', ');
  const areStates = texts.length > 0 && texts.every((one) => /^\w+$/.test(one));
  if (areStates && is(`!contains([${states}], self.connection_status)`)) {
    return `a connection that is ${texts.join(', ')}`;
  }
  return is('self.connection_status == "Connected"')
    ? 'a connection that is not connected'
    : undefined;
}

const NOTHING: Reference = { text: '', path: [] };

/** Tells whether the conditions of a resource name another one, in which it remembers what was deployed. */
function conditionsName({ body }: TerraformResource, memory: string): boolean {
  const { precondition, postcondition } = object(body.lifecycle);
  return references([precondition, postcondition]).some((one) => resourceOf(one) === memory);
}
