import type { JsonObject } from '../../../files/json.js';
import { counted } from '../../../lists/counted.js';
import { SEEN, SEEN_ROWS, type SeenId } from '../../../reach/seen.js';
import { ASSUMED } from '../../../reach/semantics.js';
import { isReordered, type ReadSet, type Refusal, strangeMembers } from './measure-object.js';
import type { Measurement } from './run-measurement.js';

/** The answer of a measurement to a row of the table of what was seen on the real cloud. */
export interface Finding {
  readonly row: string;
  /** Tells whether others saw it, or this package assumes it. */
  readonly part: 'seen' | 'assumed';
  readonly claim: string;
  readonly verdict: 'seen so here' | 'seen otherwise' | 'not shown';
  readonly evidence: string;
}

type Verdict = Pick<Finding, 'verdict' | 'evidence'>;
type Judge = (measurement: Measurement) => Verdict;

/** The rows that a measurement may speak of. What is not of them it says nothing of. */
const JUDGES: Partial<Record<SeenId, { readonly seen: Judge; readonly assumed?: Judge }>> = {
  'group-conflict': { seen: judgeConflict, assumed: judgeWaiting },
  'group-default-rule': { seen: judgeDefaultRule, assumed: judgeFamilies },
  'set-order': { seen: judgeOrder },
  'empty-null': { seen: judgeEmpty },
};

/** Judges each row that a measurement speaks of. */
export function judgeRows(measurement: Measurement): Finding[] {
  return SEEN_ROWS.flatMap(([row, { answer, assumed }]) => {
    const judges = JUDGES[row as SeenId];
    if (judges === undefined) return [];
    const seen: Finding = { row, part: 'seen', claim: answer, ...judges.seen(measurement) };
    if (assumed === undefined || judges.assumed === undefined) return [seen];
    return [seen, { row, part: 'assumed', claim: assumed, ...judges.assumed(measurement) }];
  });
}

/** The rows of which no measurement says anything: it sends no packet, and makes little. */
export const UNSPOKEN = [...Object.keys(SEEN), ...Object.keys(ASSUMED)].filter(
  (row) => !(row in JUDGES),
);

const so = (evidence: string): Verdict => ({ verdict: 'seen so here', evidence });
const otherwise = (evidence: string): Verdict => ({ verdict: 'seen otherwise', evidence });
const notShown = (evidence: string): Verdict => ({ verdict: 'not shown', evidence });

const GROUP = 'security group';
const NOT_MADE = notShown('the security group was not made, or not read');

/** Refusals of the creation of the group that its VPC may be the reason for. */
function conflictsOf({ steps }: Measurement): readonly Refusal[] {
  const made = steps.find(({ what, operation }) => what === GROUP && operation === 'create');
  return made?.refusals.filter(({ code }) => code === 'InvalidOperation.Conflict') ?? [];
}

function judgeConflict(measurement: Measurement): Verdict {
  const { steps, vpc } = measurement;
  const conflicts = conflictsOf(measurement);
  const made = steps.find(({ what, operation }) => what === GROUP && operation === 'create');
  if (conflicts.length === 0) {
    return made?.isDone ? notShown('the group was made at once; its VPC may not be new') : NOT_MADE;
  }
  const end = made?.isDone ? 'then it was made' : 'it was not made';
  return so(`refused ${counted(conflicts.length, 'time')} in a VPC with ${subnetsOf(vpc)}; ${end}`);
}

function judgeWaiting(measurement: Measurement): Verdict {
  const { vpc } = measurement;
  if (conflictsOf(measurement).length === 0) return notShown('no creation of a group was refused');
  if (vpc.subnets === 0) return notShown('the VPC has no subnets to wait for');
  return otherwise(
    `refused although the VPC has ${subnetsOf(vpc)}, unless something else changed it at that time`,
  );
}

function subnetsOf({ subnets, created = 'at a time that is not told' }: Measurement['vpc']) {
  return `${counted(subnets, 'subnet')}, created ${created}`;
}

function find({ sets }: Measurement, property: string, after: ReadSet['after']) {
  return sets.find((set) => set.property === property && set.after === after);
}

/** Returns outward rules of the new group that accept everything, and that nobody wrote. */
function defaultRules(measurement: Measurement): JsonObject[] | undefined {
  const set = find(measurement, 'EgressPermissions', 'create');
  return set && strangeMembers(set).filter(acceptsAll);
}

function acceptsAll({ Policy: policy, Protocol: protocol }: JsonObject): boolean {
  return policy === 'accept' && protocol === 'all';
}

function judgeDefaultRule(measurement: Measurement): Verdict {
  const rules = defaultRules(measurement);
  if (rules === undefined) return NOT_MADE;
  if (rules.length === 0) return notShown('the group of this run has no such rule');
  const after = find(measurement, 'EgressPermissions', 'update');
  const isGone = after && !strangeMembers(after).some(acceptsAll);
  const end = isGone ? 'the update took it away' : 'no update was seen to take it away';
  return so(`for ${rules.map(peerAndPriority).join(' and ')}; ${end}`);
}

function peerAndPriority({ CidrIp: peer, Priority: priority }: JsonObject): string {
  return `${String(peer)} with priority ${String(priority)}`;
}

function judgeFamilies(measurement: Measurement): Verdict {
  const rules = defaultRules(measurement) ?? [];
  if (rules.length === 0) return notShown('there is no such rule');
  const peers = rules.map(({ CidrIp: peer }) => String(peer));
  const isOfBoth = peers.includes('0.0.0.0/0') && peers.includes('::/0');
  return isOfBoth ? so('of both') : otherwise(`for ${peers.join(', ')} alone`);
}

function judgeOrder({ sets }: Measurement): Verdict {
  const told = sets.filter((set) => isReordered(set) !== undefined);
  if (told.length === 0) return notShown('no set was read');
  const other = told.filter(isReordered);
  const wrong = sets.filter((set) => set.after === 'update' && isWrong(set));
  const missed = wrong.map(
    ({ what, property }) => `; ${property} of the ${what} is not as changed`,
  );
  const names = other.map(({ what, property, after }) => `${property} of the ${what} (${after})`);
  const text = `${other.length} of ${told.length} sets in another order`;
  return other.length > 0
    ? so(`${text}: ${names.join(', ')}${missed.join('')}`)
    : otherwise(`${text} in this run${missed.join('')}`);
}

/** Tells whether a set is not what the update by places was to make of it. */
function isWrong(set: ReadSet): boolean {
  return strangeMembers(set).length > 0 || set.read.length !== set.written.length;
}

function judgeEmpty({ sets }: Measurement): Verdict {
  const emptied = sets.find(({ after, written }) => after === 'update' && written.length === 0);
  if (emptied === undefined) return notShown('no set was emptied');
  if (emptied.read.length > 0) return notShown('the set that was emptied still has members');
  const { property, what } = emptied;
  return emptied.isAbsent
    ? so(`${property} of the ${what} is not there when it is empty`)
    : otherwise(`${property} of the ${what} is read as an empty set`);
}
