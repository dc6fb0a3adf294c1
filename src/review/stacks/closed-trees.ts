import { applyNames, carrierKey } from '../../reach/rules/carriers.js';
import type { EffectiveFlow, RuleList } from '../../reach/rules/reading.js';
import { decideLists, QUESTIONS } from '../../reach/rules/rule-list.js';
import { ALL_CLOSED, type AssumedId } from '../../reach/semantics.js';
import { toRegion } from '../../reach/sets/region.js';
import { findUnopened } from './disagreement.js';
import { isElsewhere, type ReviewedStack, type ReviewedTree } from './reviewed-trees.js';

/** A direction of a stack: what an answer decides in it changes nothing in others. */
export type Place = Readonly<{ stack: string; direction: string }>;

/** Finds where in trees the answers to questions decide something. */
export function placesInDoubt(trees: readonly ReviewedTree[], closed: readonly AssumedId[]) {
  const key = ({ stack, direction }: Place) => `${direction} ${stack}`;
  const places = new Set(
    trees.flatMap(({ stacks }) =>
      stacks.flatMap(({ name, effective: { inDoubt, aloneInDoubt } }) =>
        [...inDoubt, ...aloneInDoubt]
          .filter(isAskedBy(closed))
          .map(({ direction }) => key({ stack: name, direction })),
      ),
    ),
  );
  return (place: Place): boolean => places.has(key(place));
}

/**
 * Answers questions in doubt with what lets less through, and decides again where they decide something.
 *
 * @param isDecided where that is so
 */
export function closeQuestions(
  { stacks, region }: ReviewedTree,
  closed: readonly AssumedId[],
  isDecided: (place: Place) => boolean,
) {
  const others = [...region].filter(([, cell]) => !isDecided(cell));
  const now = stacks.map((stack) => closeStack(stack, closed, isDecided));
  const open = now.flatMap((stack) => stack.open.filter(isDecided));
  return { stacks: now, open, region: new Map([...others, ...toRegion(open)]) };
}

function closeStack(
  stack: ReviewedStack,
  closed: readonly AssumedId[],
  isDecided: (place: Place) => boolean,
): Pick<ReviewedStack, 'name' | 'rules' | 'open' | 'alone'> {
  const { name, rules, names, effective, isFound } = stack;
  const own = decideAgain(effective.flows, effective.inDoubt.filter(isAskedBy(closed)));
  const alone = decideAgain(effective.alone, effective.aloneInDoubt.filter(isAskedBy(closed)));
  const isPlace = ({ direction }: Pick<Place, 'direction'>) =>
    isDecided({ stack: name, direction });
  const stated = rules.filter((rule) => isPlace(rule) && !isElsewhere(rule));
  const unopened = isFound ? [] : findUnopened([...own.kept, ...own.again].filter(isPlace), stated);
  return {
    name,
    rules,
    open: [
      ...stack.open.filter((rule) =>
        rule.carrier === undefined ? isElsewhere(rule) || !isPlace(rule) : !own.isAgain(rule),
      ),
      ...applyNames(name, own.again, names),
      ...unopened,
    ],
    alone: [
      ...stack.alone.filter((rule) => !alone.isAgain(rule)),
      ...applyNames(name, alone.again),
    ],
  };
}

function decideAgain(flows: readonly EffectiveFlow[], lists: readonly RuleList[]) {
  const keys = new Set(lists.map(carrierKey));
  const isAgain = ({ carrier = '', direction }: { carrier?: string; direction: string }) =>
    keys.has(carrierKey({ carrier, direction }));
  const { flows: again = [] } = decideLists(lists, ALL_CLOSED);
  return { isAgain, again, kept: flows.filter((flow) => !isAgain(flow)) };
}

function isAskedBy(closed: readonly AssumedId[]) {
  return ({ kind }: RuleList) => closed.some((id) => id === QUESTIONS[kind]);
}
