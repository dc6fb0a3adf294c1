import type { RehearsedTree } from '../read-trees.js';
import type { RehearsalFinding } from '../report-schema.js';
import type { Account } from '../timeline/account.js';
import { findSpans } from '../timeline/cuts.js';
import { stepsText } from '../timeline/wording.js';
import { ANY, nameKey, type UsedName } from '../ways/names-in-use.js';
import { avoidCut } from './remedies.js';

/** Returns the names that clients used and find otherwise or not at all, for some steps or for good. */
export function nameFindings(account: Account, head: RehearsedTree): RehearsalFinding[] {
  const { changedNames, steps } = account;
  const told = changedNames.map((names, i) => names.filter((one) => !isOfLink(one, account, i)));
  return findSpans(told, nameKey).map(({ thing, from, until }) => {
    const step = steps[from - 1];
    return {
      kind: kindOf(thing),
      stack: step?.stack ?? '',
      what: thing.name,
      text: changeText(thing, account, stepsText(from, until)),
      from,
      ...(until !== undefined && { until }),
      remedy: keepName(thing, until) ?? avoidCut({ step, steps, head }),
    };
  });
}

/** Tells whether a link says already what becomes of a name, whose clients it follows. */
function isOfLink(used: UsedName, { lanesSeen }: Account, i: number): boolean {
  if (!('vpc' in used) || used.moved === undefined) return false;
  return lanesSeen.some(
    ({ baseUrl, clientVpcs }) =>
      baseUrl !== undefined &&
      new URL(baseUrl).hostname === used.name &&
      clientVpcs?.[i]?.includes(used.vpc) !== false,
  );
}

function kindOf(used: UsedName): RehearsalFinding['kind'] {
  if ('zone' in used) return 'cut';
  const { way, moved, isGone, name, zones } = used;
  if (zones !== undefined) return 'not-shown';
  if (moved !== undefined) return moved.dead + moved.keptOut === '' ? 'not-shown' : 'cut';
  if (isGone === true && name.startsWith(ANY)) return 'not-shown';
  if (way === undefined || way.keptOut !== '') return 'cut';
  // Whether there is a route people have to look up.
  return way.isElsewhere ? 'client-change' : 'not-shown';
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
  if (used.zones !== undefined) {
    const [all, having] = [used.zones.all, used.zones.having].map((ids) =>
      ids.map((id) => passage.addresses.get(id) ?? id).join(' and '),
    );
    return `${who} may find ${name} otherwise ${when}: of the private zones ${all}, which have one name, it is in ${having || 'none'}, and which of them counts there is not shown`;
  }
  if (isGone === true && name.startsWith(ANY)) {
    const zone = name.slice(ANY.length);
    return `${who} no longer find names below ${zone} in public DNS ${when}, only those of the private zone: which others they need is not shown`;
  }
  if (isGone === true) return `${who} do not resolve ${name} at all ${when}`;
  if (used.moved !== undefined) {
    const { dead, keptOut } = used.moved;
    if (dead !== '') return `${who} resolve ${name} to ${dead} ${when}, where no endpoint is`;
    const why =
      keptOut === ''
        ? 'whether what they need answers there is not shown'
        : `no rule lets ${keptOut} in there`;
    return `${who} resolve ${name} to other addresses ${when}: ${why}`;
  }
  if (way === undefined) return `${who} do not resolve ${name} to its private address ${when}`;
  const there = [
    ...(way.keptOut === '' ? [] : [`no rule lets ${way.keptOut} in there`]),
    ...(way.letIn === '' ? [] : [`the rules let only ${way.letIn} in there`]),
    ...(way.unclear === '' ? [] : [`whether the rules let ${way.unclear} in there is not shown`]),
    ...(way.isElsewhere ? ['it is in another VPC, to which they need a route'] : []),
  ];
  return `${who} resolve ${name} to a private address in place of its public one ${when}: ${there.join(', and ')}`;
}

function keepName(used: UsedName, until: number | undefined): string | undefined {
  if ('zone' in used)
    return 'let clients call the domain of the whole endpoint before the deploy: it stays';
  if (used.zones !== undefined) {
    return 'look up to which of these zones the VPC is bound, and keep the records there until it is bound to the other';
  }
  if (used.isGone === true && used.name.startsWith(ANY)) {
    return 'keep `recursion_mode` of the zone, or look up which names below it clients need';
  }
  if (used.moved !== undefined) {
    return 'look up what answers at the new addresses, and let the rules there admit these clients, before the name leads there';
  }
  if (used.way !== undefined) {
    return 'let the rules admit all clients of the VPC and give it a route, before the zone is bound to it';
  }
  if (until !== undefined || used.isGone === true) return undefined;
  return 'move these clients away before the deploy, or keep their VPC and this name in the private zone';
}
