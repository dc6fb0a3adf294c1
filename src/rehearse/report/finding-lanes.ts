import type { RehearsalFinding, TimelineLane } from '../report-schema.js';

/** A state of a subject in which nothing is to be told of it. */
export const AS_EXPECTED = 'as before or after';

/** States that are no fault, and those that end by themselves or are not known. */
const PASSED: readonly string[] = ['open', 'holds', AS_EXPECTED];
/** A state of which it depends on something unknown whether it is a cut. */
export const NOT_SHOWN = 'not shown';
const WARNED: readonly string[] = ['interrupted', 'partly', 'not decided', NOT_SHOWN];

/** Rates the state of a lane for its colour. */
export function stateStatus(state: string): 'passed' | 'warned' | 'failed' {
  if (PASSED.includes(state)) return 'passed';
  return WARNED.includes(state) ? 'warned' : 'failed';
}

/**
 * Writes findings into lanes: each is a stretch of the lane of its link, plugin, intent or subject, of which there is
 * one if nothing else has its name, during the steps that it is about, or a cell of its own where it is so in another
 * order alone. So lanes and findings cannot differ.
 *
 * @param steps the number of steps
 */
export function withFindings(
  lanes: readonly TimelineLane[],
  { findings, others }: Readonly<Record<'findings' | 'others', readonly RehearsalFinding[]>>,
  steps: number,
): TimelineLane[] {
  const timed = findings.filter(({ kind, from }) => from !== undefined && kind !== 'failure');
  const untimed = others.filter(({ kind }) => kind !== 'not-shown');
  const alone = [...timed, ...untimed].filter((one) => !lanes.some((lane) => isOf(lane, one)));
  const states = Array.from({ length: steps + 1 }, () => AS_EXPECTED);
  const added = [...new Set(alone.map(({ what }) => what))]
    .sort()
    .map((name): TimelineLane => ({ kind: 'subject', stack: '', name, clients: [], states }));
  return [...lanes, ...added].map((lane) => {
    const own = findings.filter((one) => isOf(lane, one));
    const isOpen = lane.kind !== 'intent' && lane.states[0] === 'open';
    const otherOrders = untimed.filter((one) => isOf(lane, one)).map(({ text }) => text);
    return {
      ...lane,
      states: lane.states.map((state, i) => stateAt(state, i, own, isOpen)),
      ...(otherOrders.length > 0 && { otherOrders }),
    };
  });
}

/** Tells whether a lane is the one of a finding; those of intents have quoted names. */
export function isOf({ name, stack }: TimelineLane, finding: RehearsalFinding): boolean {
  const { what } = finding;
  return [what, JSON.stringify(what)].includes(name) && ['', finding.stack].includes(stack);
}

/** The worst that findings say of a moment; a cut that they do not say depends on something unknown. */
function stateAt(state: string, at: number, told: readonly RehearsalFinding[], isOpen: boolean) {
  const now = told.filter(({ from = Infinity, until = Infinity }) => from <= at && at < until);
  if (stateStatus(state) !== 'passed') return isOpen && now.length === 0 ? NOT_SHOWN : state;
  const words = now.map(wordOf);
  return WORDS.find((word) => words.includes(word)) ?? state;
}

const WORDS = ['wider', 'lost', 'interrupted', NOT_SHOWN] as const;

function wordOf({ kind, until }: RehearsalFinding): (typeof WORDS)[number] {
  if (kind === 'transient-opening' || kind === 'intent') return 'wider';
  if (kind === 'not-shown') return NOT_SHOWN;
  return kind === 'interruption' || until !== undefined ? 'interrupted' : 'lost';
}
