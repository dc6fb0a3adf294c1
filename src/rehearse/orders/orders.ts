import { counted } from '../../lists/counted.js';
import type { CloudState } from '../../sandbox/cloud/cloud-state.js';
import type { Passage } from '../timeline/account.js';
import { composeState, type Edit, findEdits } from './compose-state.js';
import { findInteractions, isOfPackets } from './interactions.js';
import { findJudgedSets, type JudgedSet } from './judged-sets.js';
import { orderSteps, type Predecessors } from './step-order.js';

/** A state of the cloud that another order than that of the run leads through. */
export interface OtherState extends JudgedSet {
  readonly cloud: CloudState;
}

/** The states of all orders that Terraform may take, beside those of the run. */
export interface OtherOrders {
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
export function stepsOf({ done, of }: JudgedSet) {
  const last = Math.max(...of.filter((step) => done.has(step)));
  const after = of.filter((step) => step < last && !done.has(step));
  const first = Math.min(...after);
  return { after, ahead: of.filter((step) => step > first && done.has(step)) };
}

/** `if Terraform does step 3 before step 2`. */
export function orderText(set: JudgedSet): string {
  const { ahead, after } = stepsOf(set);
  return `if Terraform does ${numbered(ahead)} before ${numbered(after)}`;
}

/** `step 2`, `steps 2, 3 and 5`. */
export function numbered(steps: readonly number[]): string {
  const [last = '', ...others] = steps.map(String).reverse();
  return others.length === 0 ? `step ${last}` : `steps ${others.reverse().join(', ')} and ${last}`;
}
