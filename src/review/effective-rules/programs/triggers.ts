import { object, text } from '../../read/json-values.js';
import type { TerraformStackJson } from '../../read/terraform-json.js';
import { fingerprintOf, type Unread } from '../../read/unread.js';
import type { Arguments } from '../arguments.js';
import { safeguardsOf } from '../fact.js';
import type { Step } from './check-steps.js';

const TRIGGERS = ['links', 'access', 'keys', 'deployed'];

/**
 * What makes Terraform run a program again: a trigger that stays the same whatever changes runs
 * nothing, so its value must be the one that follows from the stack.
 *
 * @param program as people call it: the check, the preflight
 */
export function readTriggers(
  address: string,
  triggers: Readonly<Record<string, unknown>>,
  { stack, steps, program }: { stack: TerraformStackJson; steps: readonly Step[]; program: string },
): Arguments {
  const digest = text(object(stack.outputs['access-digest']).value);
  const ids = steps.map(({ environment }) => text(environment.SECURE_CONNECTIVITY_KEY_ID));
  const keys = [...new Set(ids)].filter((id) => id !== '').join(' ');
  const unless = (name: string, right: string) =>
    text(triggers[name]) === right ? [] : [triggers[name] ?? 'none'];
  const safeguard = safeguardsOf(address);
  return {
    facts: [
      safeguard(
        `changes that rerun the ${program}`,
        Object.keys(triggers).filter((name) => name !== 'deployed' && name !== 'keys'),
        'removed',
        'it does not run when that changes',
      ),
      safeguard(
        `${program} not rerun by access rules`,
        triggers.access === undefined ? [] : unless('access', digest),
        'added',
        'it does not run when access changes',
      ),
      safeguard(
        `${program} not rerun by key pairs`,
        unless('keys', keys),
        'added',
        'it does not run when a key pair changes',
      ),
    ],
    unread: unreadTriggers(address, triggers),
  };
}

function unreadTriggers(where: string, triggers: Readonly<Record<string, unknown>>): Unread[] {
  const deployed = triggers.deployed ?? '${timestamp()}';
  const odd = Object.entries(triggers).filter(
    ([name]) => !TRIGGERS.includes(name) || (name === 'deployed' && deployed !== '${timestamp()}'),
  );
  return odd.length === 0
    ? []
    : [
        {
          where,
          attribute: 'triggers',
          why: 'it is not known when it runs',
          fingerprint: fingerprintOf(odd),
        },
      ];
}
