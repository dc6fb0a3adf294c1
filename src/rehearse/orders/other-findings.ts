import { counted } from '../../lists/counted.js';
import type { CloudState } from '../../sandbox/cloud/cloud-state.js';
import type { RehearsalFinding, TimelineStep } from '../report-schema.js';
import type { Passage } from '../timeline/account.js';
import { stepsText } from '../timeline/cuts.js';
import type { StackStep } from '../timeline/recorder.js';
import { composeState, type Edit, findEdits } from './compose-state.js';
import { findInteractions, isOfPackets } from './interactions.js';
import { findJudgedSets, type JudgedSet, orderSteps, type Predecessors } from './step-order.js';

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

/** A state of the cloud that another order than that of the run leads through. */
interface OtherState extends JudgedSet {
  readonly cloud: CloudState;
}

/** The states of all orders that Terraform may take, beside those of the run. */
interface OtherOrders {
  readonly states: readonly OtherState[];
  /** Steps of which not every order is judged, counted from 1, and why. */
  readonly notJudged: readonly { readonly steps: readonly number[]; readonly why: string }[];
}

/** Finds the states by which every order is judged that Terraform's graphs of the plans leave open. */
export function findOrders(passage: Passage): OtherOrders {
  const { before, graphs, addresses, service } = passage;
  if (graphs === undefined) return { states: [], notJudged: [] };
  const steps = passage.steps.filter(({ error }) => error === undefined);
  const numbers = steps.map((step) => passage.steps.indexOf(step) + 1);
  const edits = findEdits(before, steps);
  const deciding = [...steps.keys()].filter((i) => isOfPackets(before, edits[i] ?? []));
  if (deciding.length < 2) return { states: [], notJudged: [] };
  const numbersOf = (of: readonly number[]) => of.flatMap((i) => numbers[i] ?? []);
  const ordered = orderSteps({ steps, graphs, addresses });
  if (ordered === undefined) {
    const why = 'what they wait for cannot be read from the graph that Terraform prints';
    return { states: [], notJudged: [{ steps: numbersOf(deciding), why }] };
  }
  const waits = withSameResource(ordered, edits);
  const meet = findInteractions(before, edits, service);
  const { sets, left } = findJudgedSets(deciding, waits, meet);
  return {
    states: sets.map(({ done, of }) => ({
      done: new Set(numbersOf([...done])),
      of: numbersOf(of),
      cloud: composeState(before, edits, done),
    })),
    notJudged: left.map((of) => ({
      steps: numbersOf(of),
      why: `${counted(of.length, 'step')} decide together, in too many orders`,
    })),
  };
}

/** Lets what changes a resource wait for what did before, with all that waits for it. */
function withSameResource(ordered: readonly Predecessors[], edits: readonly Edit[][]) {
  const waits: Set<number>[] = [];
  for (const [i, own] of edits.entries()) {
    const ids = new Set(own.map(({ id }) => id));
    const before = edits
      .slice(0, i)
      .flatMap((all, k) => (all.some(({ id }) => ids.has(id)) ? [k] : []));
    const direct = [...(ordered[i] ?? []), ...before];
    waits.push(new Set(direct.flatMap((one) => [one, ...(waits[one] ?? [])])));
  }
  return waits;
}

/** Finds what decides together and is done otherwise than in the run: before others that come first there. */
function stepsOf({ done, of }: JudgedSet) {
  const last = Math.max(...of.filter((step) => done.has(step)));
  const after = of.filter((step) => step < last && !done.has(step));
  const first = Math.min(...after);
  return { after, ahead: of.filter((step) => step > first && done.has(step)) };
}

/** `if Terraform does step 3 before step 2`. */
function orderText(set: JudgedSet): string {
  const { ahead, after } = stepsOf(set);
  return `if Terraform does ${numbered(ahead)} before ${numbered(after)}`;
}

/** `step 2`, `steps 2, 3 and 5`. */
function numbered(steps: readonly number[]): string {
  const [last = '', ...others] = steps.map(String).reverse();
  return others.length === 0 ? `step ${last}` : `steps ${others.reverse().join(', ')} and ${last}`;
}
