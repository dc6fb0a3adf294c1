import { groupBy } from '../../lists/group-by.js';
import type { Verdict } from '../packet-rule.js';
import { whichSide } from '../rules/own-sides.js';
import { areTied, tieQuestion } from '../rules/rule-list.js';
import { combine, type OpenRanges } from '../sets/ranges.js';
import { subtract } from '../sets/services.js';
import type { Door } from './door.js';
import { ACCEPTS, type Asked, type Believed, DROPS, doubtOf, passAll, weigh } from './pass.js';

/** One place in which a question in doubt decides. */
export interface Use {
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
export function reasonsFor(series: readonly Door[], asked: Asked): string[] {
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
