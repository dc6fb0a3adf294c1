import { REACH_SCHEMA, type ReachReport } from '../report-schema.js';
import type { Reached } from '../ways/doors.js';
import { answerQuestion, joinAnswers, type Question } from './answer.js';
import { type OneEnd, rowsOfEnd } from './one-end.js';
import { reachTable } from './table.js';

/** A question with the words in which it was asked. */
type Asked =
  | { readonly from: string; readonly to: string; readonly question: Question }
  | { readonly about: NonNullable<ReachReport['about']>; readonly end: OneEnd };

/** Builds the table of stacks, or the answer to a question. */
export function reachReport(stacks: readonly Reached[], asked?: Asked): ReachReport {
  const unread = stacks.flatMap((stack) => stack.unread);
  const more = { schema: REACH_SCHEMA, unread } as const;
  if (asked === undefined) return { ...more, rows: reachTable(stacks) };
  if ('end' in asked) return { ...more, about: asked.about, rows: rowsOfEnd(stacks, asked.end) };
  const { from, to, question } = asked;
  const places = answerQuestion(stacks, question);
  return {
    ...more,
    question: { from, to, answer: joinAnswers(places), places: places.map(copied) },
    rows: [],
  };
}

function copied({ carriers, rules, depends, ...rest }: ReturnType<typeof answerQuestion>[number]) {
  return { ...rest, carriers: [...carriers], rules: [...rules], depends: [...depends] };
}
