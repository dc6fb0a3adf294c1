import { html, Markup } from '../../report/markup.js';
import type { TimelineLane } from '../report-schema.js';
import { findSpans, stepsText } from '../timeline/cuts.js';
import { AS_EXPECTED, NOT_SHOWN, stateStatus } from './finding-lanes.js';

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
