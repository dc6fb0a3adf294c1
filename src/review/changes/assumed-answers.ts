import { QUESTIONS } from '../../reach/rules/rule-list.js';
import { ASSUMED, type AssumedId } from '../../reach/semantics.js';
import { type Change, changeId, findChanges } from '../packet-changes.js';
import { closeQuestions, type Place, placesInDoubt } from '../stacks/closed-trees.js';
import type { ReviewedTree } from '../stacks/reviewed-trees.js';
import { findDifferences, tellOnce, withPlaces } from './access-changes.js';

/** The outcome of answers that were not counted as open. */
interface OtherAnswers {
  /** Openings and cuts that only these answers show. */
  readonly changes: readonly Change[];
  /** A line for each question that the result depends on. */
  readonly notes: readonly string[];
}

/**
 * Compares two trees, which were read with all that is in doubt open, with each question answered the other
 * way: what opens or closes under any answer counts. Only what an answer decides is compared again.
 *
 * @param found what differs between them as they were read
 * @param access the changes that are told of it
 */
export function changesUnderOtherAnswers(
  [a, b]: readonly [ReviewedTree, ReviewedTree],
  found: readonly Change[],
  access: readonly Change[],
): OtherAnswers {
  const inDoubt = [a, b].flatMap(({ stacks }) => stacks.flatMap((one) => one.effective.inDoubt));
  const questions = [...new Set(inDoubt.flatMap(({ kind }) => QUESTIONS[kind] ?? []))];
  const single = questions.map((id) => [id]);
  const notes = new Set<string>();
  let told: Set<string> | undefined;
  const changes = (questions.length > 1 ? [...single, questions] : single).flatMap((closed) => {
    const isDecided = placesInDoubt([a, b], closed);
    const trees = [
      closeQuestions(a, closed, isDecided),
      closeQuestions(b, closed, isDecided),
    ] as const;
    const again = findDifferences(trees, isDecided);
    const others = found.filter((change) => !isDecided(change));
    const isAsFound = again.length === 0 && others.length === found.length;
    const now = isAsFound ? [] : tellOnce([...others, ...again], trees);
    const fresh = now.filter((change) => {
      told ??= new Set(access.map(keyOf));
      return !told.has(keyOf(change));
    });
    // What is forbidden is judged by what is open, which can be so by the assumption alone.
    if (fresh.length > 0 || isOther(b, trees[1], isDecided)) {
      for (const id of closed) notes.add(noteOf(id));
    }
    for (const change of fresh) told?.add(keyOf(change));
    return fresh.length === 0 ? [] : withPlaces(fresh, trees);
  });
  return { changes, notes: [...notes] };
}

/** Tells whether packets that pass under one answer do not under another. */
function isOther(
  one: Pick<ReviewedTree, 'open' | 'region'>,
  other: Pick<ReviewedTree, 'open' | 'region'>,
  isDecided: (place: Place) => boolean,
): boolean {
  const part = ({ open, region }: typeof one) => ({
    rules: open.filter(isDecided),
    region: new Map([...region].filter(([, cell]) => isDecided(cell))),
  });
  return findChanges({ a: part(one), b: part(other) }).length > 0;
}

function keyOf(change: Change): string {
  return JSON.stringify(changeId(change));
}

function noteOf(id: AssumedId): string {
  const { question, open, closed } = ASSUMED[id];
  return `The result depends on \`${id}\`, which is assumed: ${question} ${open}, or ${closed}. Openings count as open and cuts as dropped.`;
}
