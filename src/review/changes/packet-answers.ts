import { remember } from '../../lists/remember.js';
import { joinAnswers, judgeAt } from '../../reach/questions/answer.js';
import type { SynthesizedStack, SynthesizedTree } from '../../reach/read/read-tree.js';
import type { Reachability } from '../../reach/report-schema.js';
import { isOfFirewall } from '../../reach/rules/reading.js';
import { combine, combineFew, type OpenRange, type OpenRanges } from '../../reach/sets/ranges.js';
import { toRange } from '../../reach/sets/region.js';
import { pickOne } from '../../reach/sets/sample.js';
import { intersect, subtract } from '../../reach/sets/services.js';
import type { Door, Way } from '../../reach/ways/door.js';
import type { Reached } from '../../reach/ways/doors.js';
import { ACCEPTS, everyPacket, passAll, passAtBounds } from '../../reach/ways/pass.js';
import type { Change, PacketAnswer } from '../packet-changes.js';
import { seenPackets } from '../packet-rows.js';
import { reachedStack } from '../stacks/reviewed-trees.js';

/** Answers for the packet of each change in both trees, by the ways that every question is answered by. */
export function withAnswers(
  changes: readonly Change[],
  [before, after]: readonly [SynthesizedTree, SynthesizedTree],
): Change[] {
  return changes.map((change) => {
    const { peer, carrier, range } = change.at;
    if (peer.kind !== 'addresses' || carrier === undefined) return change;
    const found = [before, after].map((tree) => findPlaces(tree.get(change.stack), change));
    if (found.every(({ its, named }) => its.length + named.length === 0)) return change;
    const seen = seenPackets(carrier, peer.family, range);
    const [was = NOT_THERE, now = NOT_THERE] = found.map((one) =>
      answerAt(placesOf(one, found), { family: peer.family, seen, ...one }),
    );
    return { ...change, at: { ...change.at, answers: { before: was, after: now } } };
  });
}

type Found = ReturnType<typeof findPlaces>;

/** Finds the places that the carrier of a change guards, and all of its name. */
function findPlaces(stack: SynthesizedStack | undefined, { direction, subject, at }: Change) {
  const { ways, unseen } = stack === undefined ? NOTHING : reachedStack(stack);
  const alike = ways.filter((way) => way.direction === direction);
  const isIts = ({ series }: Way) =>
    series.some(({ list }) => `, ${list.carrier}, `.includes(`, ${at.carrier}, `));
  const named = alike.filter(({ names }) => names.includes(subject));
  const its = named.some(isIts) ? named.filter(isIts) : alike.filter(isIts);
  return { alike, its, named, unseen, isOfFirewall: isOfFirewall(at.carrier) };
}

const NOTHING: Pick<Reached, 'ways' | 'unseen'> = { ways: [], unseen: [] };

/**
 * Splits the places of a change in one tree: its own, and others of its name. What a firewall guards in either tree is
 * its own in both. What counts alone, for whoever uses it elsewhere, is answered for its users here.
 */
function placesOf({ alike, its, named }: Found, both: readonly Found[]) {
  if (both.every((one) => one.its.length === 0)) return { own: named, others: [] };
  const guarded = new Set(both.flatMap((one) => one.its.flatMap(placeOf)));
  const own =
    its.length > 0 ? its : alike.filter((way) => placeOf(way).some((one) => guarded.has(one)));
  return { own, others: named.filter((way) => !own.includes(way)) };
}

/** The carrier of the rules behind a firewall; none where that is alone. */
function placeOf({ series }: Way): string[] {
  const place = series.find(({ list }) => list.kind === 'group' || list.kind === 'listener');
  return place === undefined ? [] : [place.list.carrier];
}

const NOT_THERE: PacketAnswer = { answer: 'closed' };

/** Without a policy for a place that nothing else is known of it is not known whether anything is there: it would pass. */
const NO_POLICY: PacketAnswer = { answer: 'undecided', depends: 'no policy of the tree is for it' };

interface AskedPackets extends Pick<Found, 'isOfFirewall'> {
  readonly family: 4 | 6;
  /** The packets of a change, of which one is answered for. */
  readonly seen: OpenRanges;
  /** Parts of the stack that can open or close anything. */
  readonly unseen: readonly string[];
}

function answerAt(
  { own, others }: Readonly<Record<'own' | 'others', readonly Way[]>>,
  { family, seen, unseen, isOfFirewall }: AskedPackets,
): PacketAnswer {
  const packet = toRange(pickOne(family, seen));
  const ask = (ways: readonly Way[]) => ways.map((way) => judgePacket(way, family, packet));
  const [here, there] = [ask(own), ask(others)];
  const joined = (all: readonly PacketAnswer[]) =>
    unseen.length > 0 ? 'undecided' : joinAnswers(all.map(({ answer }) => answer));
  const isAlike = own.every((way, i) =>
    seen.every((range) => isUniform(way, family, range, here[i]?.answer)),
  );
  const elsewhere = others.length === 0 ? undefined : joined(there);
  if (own.length === 0) return { ...(isOfFirewall ? NO_POLICY : NOT_THERE), others: elsewhere };
  return {
    answer: joined(here),
    others: elsewhere,
    stop: here.find(({ stop }) => stop !== undefined)?.stop,
    depends:
      unseen.length === 0
        ? here.find(({ depends }) => depends !== undefined)?.depends
        : `not read: ${unseen[0]}`,
    ...(unseen.length === 0 && !isAlike && { isOfSome: true }),
  };
}

/** Judges one packet by all that passes a place, which is computed once. */
function judgePacket(way: Way, family: 4 | 6, packet: OpenRange): PacketAnswer {
  const { pass, doubt } = boundsOf(way, family);
  if (overlap(pass, packet).length > 0) return { answer: 'reachable' };
  if (overlap(doubt, packet).length > 0) {
    if (isLong(way)) return { answer: 'undecided' };
    // Of one packet more is decided than of all at once.
    const one = judgeAt(way, { family, packets: [packet] });
    if (one.pass.length > 0) return { answer: 'reachable' };
    if (one.doubt.length > 0) return { answer: 'undecided', depends: one.why[0] };
  }
  const stop = way.series.find((door) => overlap(throughDoor(door, family), packet).length === 0);
  return { answer: 'closed', stop: stop?.list.carrier };
}

/** Rules that are too many to ask for each packet by itself on which question it depends. */
function isLong({ series }: Way): boolean {
  return series.flatMap(({ list }) => list.rules).length > MAX_ASKED;
}

const MAX_ASKED = 200;

/** Tells whether all packets of a set fare as one of them. */
function isUniform(
  way: Way,
  family: 4 | 6,
  range: OpenRange,
  answer: Reachability = 'closed',
): boolean {
  const { pass, doubt } = boundsOf(way, family);
  const [passing, doubted] = [overlap(pass, range), overlap(doubt, range)];
  if (answer === 'closed') return passing.length + doubted.length === 0;
  const alike = answer === 'reachable' ? passing : doubted;
  return combine([range], alike, subtract).length === 0;
}

/** Everything that passes a place, and that may. */
const boundsOf = rememberFamilies(({ series, families }: Way, family) => {
  const packets = families.includes(family) ? everyPacket(family).packets : [];
  const { least, most } = passAtBounds(series, { family, packets });
  return { pass: least.open, doubt: combine(most.open, least.open, subtract) };
});

/** Everything that a door may let through. */
const throughDoor = rememberFamilies(
  (door: Door, family) =>
    passAll([door], { family, packets: everyPacket(family).packets }, ACCEPTS).open,
);

/** Remembers what is computed of something for each family. */
function rememberFamilies<From extends object, Read extends object>(
  read: (from: From, family: 4 | 6) => Read,
) {
  const known = {
    4: remember((from: From) => read(from, 4)),
    6: remember((from: From) => read(from, 6)),
  };
  return (from: From, family: 4 | 6): Read => known[family](from);
}

/** The packets of a range that are in a set. */
function overlap(open: OpenRanges, range: OpenRange): OpenRanges {
  return combineFew([range], open, intersect);
}
