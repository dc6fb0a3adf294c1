import type { SynthesizedTree } from '../../reach/read/read-tree.js';
import { withAnswersOf } from '../../reach/read/terraform-json.js';
import { readAnswers } from '../../reach/rules/stated-answers.js';
import { ANSWERS_OUTPUT, ASSUMED, type AssumedId } from '../../reach/semantics.js';
import { type Change, findChanges } from '../packet-changes.js';
import { type ReviewedTree, reviewedTree } from '../stacks/reviewed-trees.js';
import { accessChanges } from './access-changes.js';

/** The outcome of answers that were not counted as open. */
interface OtherAnswers {
  /** Openings and cuts that only these answers show. */
  readonly changes: readonly Change[];
  /** A line for each question that the result depends on. */
  readonly notes: readonly string[];
}

/**
 * Compares two trees, which were read with all that is in doubt open, with each question answered the other
 * way: what opens or closes under any answer counts.
 *
 * @param reviewed the trees as they were read
 * @param access the changes between them
 */
export function changesUnderOtherAnswers(
  trees: readonly [SynthesizedTree, SynthesizedTree],
  reviewed: readonly [ReviewedTree, ReviewedTree],
  access: readonly Change[],
): OtherAnswers {
  const questions = [...new Set(reviewed.flatMap(questionsIn))];
  const single = questions.map((id) => [id]);
  const notes = new Set<string>();
  const told = new Set(access.map(keyOf));
  const changes = (questions.length > 1 ? [...single, questions] : single).flatMap((closed) => {
    const [a, b] = [closeAll(trees[0], closed), closeAll(trees[1], closed)];
    const fresh = accessChanges(a, b).filter((change) => !told.has(keyOf(change)));
    // What is forbidden is judged by what is open, which can be so by the assumption alone.
    if (fresh.length > 0 || findChanges({ a: openIn(b), b: openIn(reviewed[1]) }).length > 0) {
      for (const id of closed) notes.add(noteOf(id));
    }
    for (const change of fresh) told.add(keyOf(change));
    return fresh;
  });
  return { changes, notes: [...notes] };
}

function openIn({ open: rules, region }: ReviewedTree) {
  return { rules, region };
}

function questionsIn({ stacks }: ReviewedTree): AssumedId[] {
  return stacks.flatMap(({ effective }) => effective.questions);
}

function closeAll(tree: SynthesizedTree, questions: readonly AssumedId[]): ReviewedTree {
  const closed = new Map(
    [...tree].map(([name, stack]) => {
      const stated = readAnswers(stack.terraform.outputs);
      const more = questions
        .filter((id) => stated[id] === undefined)
        .map((id) => [id, { answer: 'closed', seen: '0000-00-00', how: 'assumed' }]);
      const value = { ...stated, ...Object.fromEntries(more) };
      const outputs = { [ANSWERS_OUTPUT]: { value } };
      return [name, { ...stack, terraform: withAnswersOf({ outputs }, stack.terraform) }] as const;
    }),
  );
  return reviewedTree(closed);
}

function keyOf({ identity }: Change): string {
  return JSON.stringify(identity);
}

function noteOf(id: AssumedId): string {
  const { question, open, closed } = ASSUMED[id];
  return `The result depends on \`${id}\`, which is assumed: ${question} ${open}, or ${closed}. Openings count as open and cuts as dropped; an owner who has seen the answer states it in \`cloudDecisions\` of the settings.`;
}
