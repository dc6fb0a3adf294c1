import type { RehearsalFinding, TimelineStep } from '../report-schema.js';
import type { Passage } from '../timeline/account.js';
import { stepsText } from '../timeline/cuts.js';
import type { StackStep } from '../timeline/recorder.js';
import { findOrders, numbered, type OtherState, orderText, stepsOf } from './orders.js';

/** Findings of the run, and how any passage gets its own. */
interface Noticed {
  readonly steps: readonly TimelineStep[];
  readonly findings: readonly RehearsalFinding[];
  readonly findingsOf: (passage: Passage) => readonly RehearsalFinding[];
}

/**
 * Finds what clients would notice if Terraform took another order, beside what they notice in that of the run: each
 * once, of the state that differs least from the run.
 */
export function otherFindings(
  passage: Passage,
  { steps, findings, findingsOf }: Noticed,
): RehearsalFinding[] {
  const { states, notJudged } = findOrders(passage);
  const near = states.toSorted((a, b) => reordered(a) - reordered(b));
  const known = new Set(findings.map(keyOf));
  const batches = near.flatMap((_, i) => (i % BATCH === 0 ? [near.slice(i, i + BATCH)] : []));
  const seen = batches.flatMap((batch) =>
    findingsOf(throughEach(passage, batch)).map((finding) => ({ finding, batch })),
  );
  const told = seen.flatMap(({ finding, batch }): RehearsalFinding[] => {
    const { from = 0, until, text, kind, what, stack, packets } = finding;
    const state = batch[(from - 1) / 3];
    // It neither is so at first nor in the end, as something removed or added would be.
    if (state === undefined || until !== from + 1 || known.has(keyOf(finding))) return [];
    // Packets that are lost are so in the end, as the run says, by whichever steps.
    if (kind === 'cut' && packets !== undefined) return [];
    known.add(keyOf(finding));
    const said = text.replace(stepsText(from, until), orderText(state));
    const remedy = waitRemedy(state, steps);
    return [{ kind, stack, what, text: said, remedy, ...(packets && { packets }) }];
  });
  const left = notJudged.map(({ steps: unclear, why }): RehearsalFinding => {
    const { stack = '' } = steps[(unclear[0] ?? 0) - 1] ?? {};
    const text = `what clients notice where Terraform does ${numbered(unclear)} in another order is not shown: ${why}`;
    const remedy = 'change less in one deploy, or let the resources depend on each other';
    return { kind: 'not-shown', stack, what: stack, text, remedy };
  });
  return [...told, ...left];
}

/** The number of states that are looked at together. */
const BATCH = 8;

/** A passage that leads through each state from the first to the last, as a run that has just that between them. */
function throughEach(passage: Passage, states: readonly OtherState[]): Passage {
  const [last] = passage.steps.slice(-1);
  const steps = states.flatMap((state): StackStep[] => {
    const early = passage.steps[(stepsOf(state).ahead[0] ?? 0) - 1];
    if (early === undefined || last === undefined) return [];
    return [{ ...early, cloud: state.cloud }, last, { ...last, cloud: passage.before }];
  });
  return { ...passage, steps: last === undefined ? [] : [...steps, last] };
}

function reordered(state: OtherState): number {
  const { ahead, after } = stepsOf(state);
  return ahead.length + after.length;
}

/** Returns what a finding says is so, whenever and why. */
function keyOf({ kind, stack, what, text, from = 0, until }: RehearsalFinding): string {
  const [is] = text.split(stepsText(from, until));
  return JSON.stringify([kind, stack, what, is]);
}

function waitRemedy(state: OtherState, steps: readonly TimelineStep[]): string {
  const { ahead, after } = stepsOf(state);
  const [early, late] = [ahead, after].map(([first = 0]) => steps[first - 1]?.resource);
  return `let ${early} change after ${late} (\`depends_on\`), or make the change in two deploys`;
}
