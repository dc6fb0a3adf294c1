import { badge, html, htmlPage, Markup } from '../../report/markup.js';
import type {
  RehearsalFinding,
  RehearsalReport,
  Timeline,
  TimelineLane,
} from '../report-schema.js';
import { findSpans, stepsText } from '../timeline/cuts.js';
import { AS_EXPECTED, NOT_SHOWN, stateStatus } from './finding-lanes.js';
import { splitFindings } from './headline.js';
import { endings, legend, rehearsed, stepText, toneOf } from './text.js';

/** The styles that the report of a check does not need. */
const OWN_STYLE = new Markup(`
h1, .card, .remedy, footer { overflow-wrap: anywhere; }
main > .remedy { margin-top: 1rem; }
.cells li::before { content: ""; display: inline-block; width: 1.25rem; height: .9rem; margin-right: .5rem; border-radius: .2rem; vertical-align: middle; background: var(--tone); }
.cells .failed::before { background: repeating-linear-gradient(135deg, var(--tone) 0 6px, var(--tint) 6px 9px); }
.lane { padding: .5rem 0; }
.lane .name { font-weight: 600; overflow-wrap: anywhere; }
.lane .states { display: flex; gap: 2px; margin-top: .25rem; }
.lane .states li { flex: 1 1 0; min-width: 2px; height: 1.25rem; border-radius: .2rem; background: var(--tone); }
.lane .states .failed { background: repeating-linear-gradient(135deg, var(--tone) 0 6px, var(--tint) 6px 9px); }
.steps li { padding: .35rem 0 .35rem .75rem; border-left: 4px solid var(--tone); margin: .25rem 0; overflow-wrap: anywhere; }
`);

/** The report as one page for a browser, which loads nothing from elsewhere and runs no script. */
export function htmlReport(report: RehearsalReport): string {
  const { summary, head, rollback, notes } = report;
  const status = toneOf(report);
  const { first, others } = splitFindings(report);
  const lines = (all: readonly string[]) =>
    html`<ul>${all.map((line) => html`<li>${line}</li>`)}</ul>`;
  const body = html`<header class="${status}">${badge(status)}<div><h1>${summary}</h1></div></header>
${remedyText(first)}
<section class="card ${status}" aria-label="Rehearsed">${lines(rehearsed(report))}</section>
<section aria-label="Findings">${others.map(findingCard)}</section>
${timelineView('Step by step', head.timeline)}
<section class="card ${status}"><h2>Checks</h2>${lines(endings(report))}</section>
${timelineView('Rollback', rollback.timeline)}
${notes.map((note) => html`<p class="note">${note}</p>`)}
<footer><h2>Legend</h2>${lines(legend(report))}${CELLS}</footer>`;
  return htmlPage({ title: summary, style: OWN_STYLE, body });
}

const CELLS = html`<ul class="cells"><li class="passed">open, an intent that holds, or as before or after</li><li class="warned">partly open, interrupted, not decided, or not shown</li><li class="failed">down, lost, an intent broken, or open in between; after the last step, in another order</li></ul>`;

function remedyText(finding: RehearsalFinding | undefined): Markup | undefined {
  return finding?.remedy === undefined
    ? undefined
    : html`<p class="remedy"><strong>Remedy</strong>${finding.remedy}</p>`;
}

const WARNED: readonly RehearsalFinding['kind'][] = ['client-change', 'interruption', 'not-shown'];

function findingCard(finding: RehearsalFinding): Markup {
  const { kind, text } = finding;
  const status = WARNED.includes(kind) ? 'warned' : 'failed';
  return html`<article class="card ${status}"><h2>${text}</h2>
${remedyText(finding)}</article>
`;
}

function timelineView(title: string, { steps, lanes }: Timeline): Markup {
  if (steps.length === 0) return html``;
  const stacks = new Set(steps.map(({ stack }) => stack));
  return html`<section class="link" aria-label="${title}"><h2>${title}</h2>
${lanes.map(laneView)}
<ol class="steps">${steps.map((step) => {
    const kinds = step.effects.map(({ kind }) => kind);
    const isBad = kinds.some((kind) => BAD.includes(kind));
    const status = isBad || step.refused !== undefined ? 'failed' : 'skipped';
    return html`<li class="${status}">${stepText(step, steps.length, stacks.size > 1)}</li>
`;
  })}</ol></section>
`;
}

const BAD: readonly string[] = ['down', 'transient-opening', 'intent-broken'];

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
