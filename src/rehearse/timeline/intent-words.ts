import { answerText, WORDS } from '../../reach/intents/answer.js';
import type { Effect, TimelineLane } from '../report-schema.js';
import type { IntentCourse } from './account.js';
import { findSpans, stepsText } from './cuts.js';

/** The steps during which an intent is broken, with the answer at the first of them. */
export function brokenSpans({ answers }: IntentCourse) {
  const broken = answers.map((answer) => (answer.verdict === 'broken' ? [answer] : []));
  return findSpans(broken, ({ name }) => name);
}

export function intentLane({ name, answers }: IntentCourse): TimelineLane {
  const states = answers.map(({ verdict }) => WORDS[verdict]);
  return { kind: 'intent', stack: '', name: JSON.stringify(name), clients: [], states };
}

/** Returns what a step does to an intent. */
export function intentEffects(course: IntentCourse, number: number): Effect[] {
  return brokenSpans(course).flatMap(({ thing, from, until }): Effect[] => {
    if (from === number) return [{ kind: 'intent-broken', text: answerText(thing) }];
    const text = `${JSON.stringify(course.name)} holds again`;
    return until === number ? [{ kind: 'intent-mended', text }] : [];
  });
}

/** Returns what of an intent is not of the steps, or not decided. */
export function intentNotes(course: IntentCourse): string[] {
  const before = brokenSpans(course).filter(({ from }) => from === 0);
  const unclear = course.answers.map((one) => (one.verdict === 'undecided' ? [one] : []));
  return [
    ...before.map(({ thing }) => `before the change already, ${answerText(thing)}`),
    ...findSpans(unclear, answerText).map(
      ({ thing, from, until }) => `${stepsText(from, until)}, ${answerText(thing)}`,
    ),
  ];
}
