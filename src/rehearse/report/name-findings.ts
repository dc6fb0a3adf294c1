import type { RehearsedTree } from '../read-trees.js';
import type { RehearsalFinding } from '../report-schema.js';
import type { Account } from '../timeline/account.js';
import { findSpans } from '../timeline/cuts.js';
import { lostNames, nameKey, type UsedName } from '../timeline/names-in-use.js';
import { stepsText } from '../timeline/wording.js';
import { avoidCut } from './remedies.js';

/** Returns the names that clients used and no longer find, for some steps or for good. */
export function nameFindings(account: Account, head: RehearsedTree): RehearsalFinding[] {
  const { passage, steps } = account;
  const states = [passage.before, ...passage.steps.map(({ cloud }) => cloud)];
  const lost = lostNames(states, passage.service.boundZones);
  return findSpans(lost, nameKey).map(({ thing, from, until }) => {
    const step = steps[from - 1];
    return {
      kind: 'cut',
      stack: step?.stack ?? '',
      what: thing.name,
      text: `${lostText(thing, account)} ${stepsText(from, until)}`,
      from,
      ...(until !== undefined && { until }),
      remedy: keepName(thing, until) ?? avoidCut({ step, steps, head }),
    };
  });
}

function lostText(used: UsedName, { passage }: Account): string {
  if ('zone' in used) return `the own domain of ${used.zone}, ${used.name}, is gone`;
  const vpc = passage.addresses.get(used.vpc) ?? used.vpc;
  const isDeleted = passage.steps.some(
    ({ operation, identifier, error }) =>
      operation === 'DELETE' && identifier === used.vpc && error === undefined,
  );
  return `clients in ${vpc}${isDeleted ? ', which is deleted,' : ''} do not resolve ${used.name} to its private address`;
}

function keepName(used: UsedName, until: number | undefined): string | undefined {
  if ('zone' in used)
    return 'let clients call the domain of the whole endpoint before the deploy: it stays';
  if (until !== undefined) return undefined;
  return 'move these clients away before the deploy, or keep their VPC and this name in the private zone';
}
