import { groupBy } from '../../lists/group-by.js';
import type { Verdict } from '../packet-rule.js';
import { whichSide } from '../rules/own-sides.js';
import { areTied, tieQuestion } from '../rules/rule-list.js';
import { ASSUMED } from '../semantics.js';
import { combine, meet, type OpenRanges } from '../sets/ranges.js';
import { subtract, union } from '../sets/services.js';
import type { Door } from './door.js';
import {
  ACCEPTS,
  type Asked,
  type Believed,
  type Decision,
  DROPS,
  doubtOf,
  passAll,
  passAtBounds,
  weigh,
} from './pass.js';

/** The packets that pass for certain, those that may, and the reasons for the difference. */
export interface Bounds {
  readonly least: OpenRanges;
  readonly most: OpenRanges;
  /** The doubts that can change the result, as sentences. */
  readonly why: readonly string[];
  /** The rules that decide at either bound, door by door. */
  readonly by: () => readonly Decision[];
}

/**
 * Sends packets through doors twice: with everything in doubt for them, and with everything against them. What
 * more doubts than one answer for and against at once may lie between the bounds, though it does not depend on
 * them.
 */
export function passUnderDoubt(series: readonly Door[], asked: Asked): Bounds {
  const { least, most } = passAtBounds(series, asked);
  const wide: Span = { least: least.open, most: most.open };
  const by = () => [...least.by(), ...most.by()];
  const packets = inDoubt(wide);
  if (packets.length === 0) return { ...wide, why: [], by };
  const uses = findUses(series, { ...asked, packets });
  const span = narrow(wide, series, asked, uses);
  const left = inDoubt(span);
  const why = left.length === 0 ? [] : reasonsFor(series, { ...asked, packets: left });
  return { ...span, why: why.map(doubtText), by };
}

type Span = Pick<Bounds, 'least' | 'most'>;

function inDoubt({ most, least }: Span): OpenRanges {
  return combine(most, least, subtract);
}

/** Answers each doubt that is for some packets and against others as one: it has one answer at a time. */
function narrow(
  span: Span,
  series: readonly Door[],
  asked: Asked,
  uses: ReadonlyMap<string, readonly Use[]>,
): Span {
  const mixed = [...uses].filter(([, own]) => isMixed(own));
  return mixed.slice(0, MAX_NARROWED).reduce((now, [doubt]) => {
    const left = inDoubt(now);
    if (left.length === 0) return now;
    const [mostOpen, leastOpen] = [ACCEPTS, DROPS].map((others) =>
      [true, false].map((answer) => {
        const believed: Believed = (one, isAccept) =>
          one === doubt ? answer : others(one, isAccept);
        return passAll(series, { ...asked, packets: left }, believed).open;
      }),
    );
    const closed = combine(left, mostOpen?.reduce(unite) ?? left, subtract);
    return {
      most: combine(now.most, closed, subtract),
      least: unite(now.least, leastOpen?.reduce(meet) ?? []),
    };
  }, span);
}

/** Of so many doubts the bounds are narrowed by their answers. */
const MAX_NARROWED = 64;

function unite(a: OpenRanges, b: OpenRanges): OpenRanges {
  return combine(a, b, union);
}

/** A doubt as a sentence for people. */
export function doubtText(doubt: string): string {
  const row = Object.entries(ASSUMED).find(([id]) => id === doubt)?.[1];
  return row === undefined ? doubt : `${row.question} (${row.open}, or ${row.closed})`;
}

/** One place in which a question in doubt decides. */
interface Use {
  readonly doubt: string;
  readonly door: Door;
  /** The rule that depends on the answer; absent where the order of two rules does. */
  readonly rule?: Verdict;
  /** The rule is in force where the answer is this one. */
  readonly inForce: boolean;
  /** One of the rule's peers depends on it, beside which the others count. */
  readonly isPeer: boolean;
}

/** Finds where questions in doubt can decide on packets. */
export function findUses(
  series: readonly Door[],
  asked: Asked,
): ReadonlyMap<string, readonly Use[]> {
  const uses = series.flatMap((door): Use[] => {
    const weighed = [ACCEPTS, DROPS].flatMap((all) => weigh(door.list, asked, all));
    const rules = [...new Set(weighed.map(({ rule }) => rule))];
    const tie = areTied(rules) ? tieQuestion(door.list) : undefined;
    const which = door.list.places === undefined ? undefined : whichSide(door.list);
    return [
      ...[tie, which].flatMap((doubt = '') =>
        doubt === '' ? [] : [{ doubt, door, inForce: true, isPeer: false }],
      ),
      ...rules.flatMap((rule) => usesOf(rule, door, asked)),
    ];
  });
  return groupBy(uses, ({ doubt }) => doubt);
}

function usesOf(rule: Verdict, door: Door, { isWithoutNames }: Asked): Use[] {
  const { assumes, doubt, isUnless, isAccept, peers } = rule;
  const isNamed = !(isAccept && isWithoutNames === true);
  const names = isNamed ? peers.filter(({ kind }) => kind !== 'addresses') : [];
  const use = (of: string, inForce = true, isPeer = false) => ({
    ...{ doubt: of, door, rule, inForce, isPeer },
  });
  return [
    ...(assumes === undefined ? [] : [use(assumes)]),
    ...(doubt === undefined ? [] : [use(doubt, isUnless !== true)]),
    ...names.map((peer) => use(doubtOf(peer), true, true)),
  ];
}

/** The answer that lets more packets through. */
function opening({ rule, inForce }: Use): boolean {
  return rule === undefined || rule.isAccept === inForce;
}

/** Tells whether an answer lets more packets through in one place, and fewer in another. */
export function isMixed(uses: readonly Use[]): boolean {
  return new Set(uses.map(opening)).size > 1;
}

/** The limit of doubts that are tried one by one; of more, all that speak of the packets are named. */
const MAX_TRIED = 64;

/**
 * Names the doubts of which another answer changes which packets pass: each is changed alone, with all others
 * answered for the packets, against them, and so that its own rule decides.
 *
 * @param asked packets that pass under some answers and not under others
 */
function reasonsFor(series: readonly Door[], asked: Asked): string[] {
  const uses = findUses(series, asked);
  const doubts = [...uses.keys()];
  if (doubts.length < 2 || doubts.length > MAX_TRIED) return doubts;
  const isOpenWith = (others: Believed, doubt: string, answer: boolean) =>
    passAll(series, asked, (one, isAccept) => (one === doubt ? answer : others(one, isAccept)))
      .open;
  const found = doubts.filter((doubt) =>
    othersThan(doubt, uses).some((others) => {
      const [yes, no] = [true, false].map((answer) => isOpenWith(others, doubt, answer));
      return yes && no && !isSame(yes, no);
    }),
  );
  return found.length === 0 ? doubts : found;
}

/** Answers to all other doubts under which one may decide. */
function othersThan(doubt: string, uses: ReadonlyMap<string, readonly Use[]>): Believed[] {
  const firstOf = (one: string) => uses.get(one)?.[0];
  const forAll = (one: string) => opening(firstOf(one) ?? NO_USE);
  const own = (uses.get(doubt) ?? []).map((use): Believed => {
    const here = new Map(
      [...uses].flatMap(([one, all]) => {
        const near = all.filter(({ door }) => door === use.door);
        const same = near.find(({ rule }) => rule === use.rule) ?? near[0];
        return same === undefined ? [] : [[one, besideOf(same, use)] as const];
      }),
    );
    return (one) => here.get(one) ?? forAll(one);
  });
  return [forAll, (one) => !forAll(one), ...own, () => true, () => false];
}

const NO_USE = { inForce: true } as Use;

/** The answer to a doubt with which a rule of the same list decides: none before it does, nor any after it as it does. */
function besideOf(other: Use, { rule, isPeer }: Use): boolean {
  if (rule === undefined) return other.inForce;
  if (other.rule === undefined) return rule.isAccept;
  if (other.rule === rule) return other.isPeer && isPeer ? !other.inForce : other.inForce;
  const isSameSide = other.rule.isAccept === rule.isAccept;
  if (other.rule.priority === rule.priority && !isSameSide) return opening(other);
  if (other.rule.priority <= rule.priority) return !other.inForce;
  return opening(other) !== rule.isAccept;
}

function isSame(a: OpenRanges, b: OpenRanges): boolean {
  return a === b || (combine(a, b, subtract).length === 0 && combine(b, a, subtract).length === 0);
}
