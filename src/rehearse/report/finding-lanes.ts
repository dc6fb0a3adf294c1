import { html, Markup } from '../../report/markup.js';
import type { RehearsalFinding, TimelineLane } from '../report-schema.js';
import { findSpans, stepsText } from '../timeline/cuts.js';

/** A state of a subject in which nothing is to be told of it. */
const AS_EXPECTED = 'as before or after';

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

/** The styles of lanes. */
export const LANE_STYLE = new Markup(`
ul.cells.small > li { list-style: none; }
.cells li::before { content: ""; display: inline-block; width: 1.25rem; height: .9rem; margin-right: .5rem; border-radius: .2rem; vertical-align: middle; background: var(--tone); }
.cells .failed::before { background: repeating-linear-gradient(135deg, var(--tone) 0 6px, var(--tint) 6px 9px); }
.lane { padding: .5rem 0; }
.lane .name { font-weight: 600; overflow-wrap: anywhere; }
.lane .states { display: flex; gap: 2px; margin-top: .25rem; }
.lane .states li { flex: 1 1 0; min-width: 2px; height: 1.25rem; border-radius: .2rem; background: var(--tone); margin: 0; list-style: none; }
.lane .states .failed { background: repeating-linear-gradient(135deg, var(--tone) 0 6px, var(--tint) 6px 9px); }
`);

/** Draws lanes, one below the other, and explains their colours. */
export function lanesView(lanes: readonly TimelineLane[]): Markup {
  return html`${lanes.map(laneView)}${CELLS}`;
}

const CELLS = html`<ul class="cells small"><li class="passed">open, an intent that holds, or as before or after</li><li class="warned">partly open, interrupted, not decided, or not shown</li><li class="failed">down, lost, an intent broken, or open in between; after the last step, in another order</li></ul>`;

/** One cell for the time before the first step, and one for that after each step. */
function laneView(lane: TimelineLane): Markup {
  return html`<div class="lane"><span class="name">${lane.name}</span> <small>${laneText(lane)}</small>
<ol class="states" role="img" aria-label="${lane.name}: ${laneText(lane)}">${lane.states.map(
    (state, i) =>
      html`<li class="${stateStatus(state)}" title="${i === 0 ? 'before' : `after step ${i}`}: ${state}"></li>`,
  )}${lane.otherOrders?.map((text) => html`<li class="failed" title="${text}"></li>`)}</ol></div>
`;
}

/** The lane in words. */
function laneText({ otherOrders = [], ...lane }: TimelineLane): string {
  return [runText(lane), ...otherOrders].join('; ');
}

function runText({ kind, states, newBaseUrl }: TimelineLane): string {
  if (kind === 'intent') return [...new Set(states)].join(', then ');
  const isSubject = kind === 'subject';
  const words = states.map((state) => {
    if (stateStatus(state) === 'passed') return [];
    return isSubject || state === NOT_SHOWN ? [state] : ['down'];
  });
  const runs = findSpans(words, String)
    .filter(({ from }) => from > 0)
    .map(({ thing, from, until }) => {
      const ended = until === undefined ? 'lost' : 'interrupted';
      return `${thing === 'down' ? ended : thing} ${stepsText(from, until)}`;
    });
  const always = states[0] === 'open' ? 'open throughout' : 'not open before';
  const domain = newBaseUrl === undefined ? '' : `; new base URL ${newBaseUrl}`;
  return `${runs.join(', ') || (isSubject ? AS_EXPECTED : always)}${domain}`;
}
