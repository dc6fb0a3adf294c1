import { isDeepStrictEqual } from 'node:util';
import { toldDoors } from '../../intents/told-doors.js';
import type { IntentGroup } from '../../reach/intents/intent-groups.js';
import { object } from '../../reach/read/json.js';
import type { SynthesizedStack, SynthesizedTree } from '../../reach/read/read-tree.js';
import { fingerprint } from '../../reach/read/terraform-json.js';
import { readToldToCheck } from '../effective-rules/links.js';
import { TOLD } from '../effective-rules/told-connections.js';
import type { Finding } from '../report-schema.js';

/**
 * Finds stacks whose check is told other intents than lie beside them, or other doors: it would prove those. What the tree before
 * has as well is no change.
 */
export function findToldOtherwise(
  [base, before]: readonly [readonly IntentGroup[], SynthesizedTree],
  [head, after]: readonly [readonly IntentGroup[], SynthesizedTree],
): Finding[] {
  return [...after.values()].flatMap((stack): Finding[] => {
    const found = readOther(stack, head);
    const was = before.get(stack.name);
    const isNew = was === undefined || !isDeepStrictEqual(found, readOther(was, base));
    if (found === undefined || !isNew) return [];
    return [
      {
        ...{ kind: 'safeguard', decision: 'needs-approval', stack: stack.name, who: '' },
        ...{ resource: `output.${found.output}`, what: 'intents that the check tries' },
        identity: ['told intents', fingerprint(found)],
        ...{ before: 'those of intents.json', after: 'others' },
        consequence:
          'the check after the deploy tries other intents than intents.json has, or at other doors than access.json has',
      },
    ];
  });
}

/** Reads what the check is told, and what it should be; undefined where both are the same, or it is told nothing. */
function readOther({ name, terraform, access }: SynthesizedStack, groups: readonly IntentGroup[]) {
  const [output, value] = Object.entries(terraform.outputs).find(([key]) => TOLD.has(key)) ?? [];
  const told = readToldToCheck(object(value).value);
  if (output === undefined || told === undefined) return undefined;
  const kept = groups.find(({ stacks }) => stacks.includes(name))?.intents;
  const own = kept && { ...kept, doors: toldDoors(access?.rules ?? []) };
  const intents = told.intents ?? {};
  return isDeepStrictEqual(intents, object(JSON.parse(JSON.stringify(own ?? {}))))
    ? undefined
    : { output, intents, own };
}
