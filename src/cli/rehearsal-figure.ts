import { makePicture } from '../picture/make-picture.js';
import type { Picture } from '../picture/model.js';
import { changesView } from '../picture/page.js';
import { STYLE } from '../picture/svg.js';
import { shortName } from '../reach/reports/names.js';
import { EVERYTHING } from '../reach/sets/services.js';
import type { Reached } from '../reach/ways/doors.js';
import { stepTexts } from '../rehearse/report/document.js';
import { LANE_STYLE, lanesView } from '../rehearse/report/finding-lanes.js';
import type { RehearsalReport, TimelineStep } from '../rehearse/report-schema.js';
import type { Account } from '../rehearse/timeline/account.js';
import { withAddresses } from '../rehearse/ways/ways.js';
import type { Figure } from '../report/document.js';
import { html, type Markup } from '../report/markup.js';

/**
 * Makes the figure of a rehearsal: a drawing of each state in which who may reach what differs from before the change,
 * and lanes of links, plugins, intents and subjects below it.
 *
 * @param account of the deploy. @default - lanes alone, as where nothing was deployed
 */
export function rehearsalFigure(report: RehearsalReport, account?: Account): Figure {
  const { head, rollback } = report;
  const page = () => ({
    markup: html`${account && drawingsView(account)}
${head.timeline.lanes.length > 0 && html`<section><h2>Step by step</h2>${lanesView(head.timeline.lanes)}</section>`}
${rollback.timeline.lanes.length > 0 && html`<section><details><summary>Rollback, step by step</summary>${lanesView(rollback.timeline.lanes)}</details></section>`}
`.text,
    style: `${STYLE.text}${LANE_STYLE.text}`,
  });
  // A comment has the steps in words.
  return { mermaid: () => '', svg: () => '', page };
}

/** Draws each state that differs from the one before the change; steps that leave it so share a drawing. */
function drawingsView(account: Account): Markup | undefined {
  const { steps } = account;
  const toText = stepTexts(steps);
  const drawn = drawStates(account);
  if (drawn.length === 0) return undefined;
  return html`<section><h2>Against before the change</h2>
${drawn.map(({ from, until, view }) => {
  const span = until > from ? `After steps ${from} to ${until}` : `After step ${from}`;
  const title = steps[from - 1];
  return html`<details name="state"><summary>${span}${title && html` <small>${toText(withoutEffects(title), steps.length)}</small>`}</summary>
${view}</details>
`;
})}</section>`;
}

/** The drawing says what a step does. */
function withoutEffects(step: TimelineStep): TimelineStep {
  return { ...step, effects: [] };
}

function drawStates({ reached: [before, ...states], passage: { addresses } }: Account) {
  const drawn: {
    readonly from: number;
    until: number;
    readonly key: string;
    readonly view: Markup;
  }[] = [];
  if (before === undefined) return drawn;
  for (const [i, now] of states.entries()) {
    const step = i + 1;
    const picture = withNames(makePicture(wholeLinks(now), wholeLinks(before)), addresses);
    const view = changesView(picture, `state-${step}`);
    if (view === undefined) continue;
    const key = view.text.replaceAll(`state-${step}-`, '');
    const last = drawn.at(-1);
    if (last?.key === key && last.until === step - 1) last.until = step;
    else drawn.push({ from: step, until: step, key, view });
  }
  return drawn;
}

/** Leaves of a private link whom it lets in: its ports are those of its listeners, each of which is a place of its own. */
function wholeLinks(reached: Reached) {
  const named = reached.named.map((rule) =>
    ['account', 'endpoint'].includes(rule.peer.kind) ? { ...rule, services: EVERYTHING } : rule,
  );
  return { stacks: [{ ...reached, named }] };
}

/** Calls what is in the cloud by the names that the trees have for it. */
function withNames(picture: Picture, addresses: ReadonlyMap<string, string>): Picture {
  const named = (text: string) => withAddresses(text, addresses);
  const doorName = (name: string) =>
    name.replaceAll(/[\w-]+/g, (word) => shortName(addresses.get(word) ?? word));
  return {
    ...picture,
    places: picture.places.map((place) => ({
      ...place,
      stack: 'the cloud',
      subject: named(place.subject),
      doors: place.doors.map(({ word, name }) => ({ word, name: doorName(name) })),
      lines: place.lines.map((line) => ({
        ...line,
        ...{ peers: line.peers.map(named), label: named(line.label), packet: named(line.packet) },
        ...{ resource: named(line.resource), depends: named(line.depends) },
        rules: line.rules.map((rule) => ({
          ...rule,
          ...{ resource: named(rule.resource), rule: named(rule.rule), file: '' },
        })),
      })),
    })),
  };
}
