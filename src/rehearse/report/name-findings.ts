import type { RehearsedTree } from '../read-trees.js';
import type { RehearsalFinding } from '../report-schema.js';
import type { Account } from '../timeline/account.js';
import { findSpans } from '../timeline/cuts.js';
import { stepsText } from '../timeline/wording.js';
import { nameKey, type UsedName } from '../ways/names-in-use.js';
import { avoidCut } from './remedies.js';

/** Returns the names that clients used and find otherwise or not at all, for some steps or for good. */
export function nameFindings(account: Account, head: RehearsedTree): RehearsalFinding[] {
  const { changedNames, steps } = account;
  return findSpans(changedNames, nameKey).map(({ thing, from, until }) => {
    const step = steps[from - 1];
    const isTheirs = 'way' in thing && thing.way?.keptOut === '';
    return {
      // Whether there is a route people have to look up.
      kind: isTheirs ? 'client-change' : 'cut',
      stack: step?.stack ?? '',
      what: thing.name,
      text: changeText(thing, account, stepsText(from, until)),
      from,
      ...(until !== undefined && { until }),
      remedy: keepName(thing, until) ?? avoidCut({ step, steps, head }),
    };
  });
}

function changeText(used: UsedName, { passage }: Account, when: string): string {
  if ('zone' in used) return `the own domain of ${used.zone}, ${used.name}, is gone ${when}`;
  const { name, way, isGone } = used;
  const vpc = passage.addresses.get(used.vpc) ?? used.vpc;
  const isDeleted = passage.steps.some(
    ({ operation, identifier, error }) =>
      operation === 'DELETE' && identifier === used.vpc && error === undefined,
  );
  const who = `clients in ${vpc}${isDeleted ? ', which is deleted,' : ''}`;
  if (isGone === true) return `${who} do not resolve ${name} at all ${when}`;
  if (way === undefined) return `${who} do not resolve ${name} to its private address ${when}`;
  const there = [
    ...(way.keptOut === '' ? [] : [`no rule lets ${way.keptOut} in there`]),
    ...(way.letIn === '' ? [] : [`the rules let only ${way.letIn} in there`]),
    ...(way.isElsewhere ? ['it is in another VPC, to which they need a route'] : []),
  ];
  return `${who} resolve ${name} to a private address in place of its public one ${when}: ${there.join(', and ')}`;
}

function keepName(used: UsedName, until: number | undefined): string | undefined {
  if ('zone' in used)
    return 'let clients call the domain of the whole endpoint before the deploy: it stays';
  if (used.way !== undefined) {
    return 'let the rules admit all clients of the VPC and give it a route, before the zone is bound to it';
  }
  if (until !== undefined || used.isGone === true) return undefined;
  return 'move these clients away before the deploy, or keep their VPC and this name in the private zone';
}
