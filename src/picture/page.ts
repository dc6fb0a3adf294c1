import { counted } from '../lists/counted.js';
import { groupBy } from '../lists/group-by.js';
import type { Figure } from '../report/document.js';
import { html, type Markup } from '../report/markup.js';
import { pictureAsMermaid } from './mermaid.js';
import { type Line, type Picture, type Place, SIGNS, sentenceOf } from './model.js';
import { drawPlaces, pictureAsSvg, STYLE } from './svg.js';

/** Makes the figure of a report. @param draw is called once a writer asks for it */
export function pictureFigure(draw: () => Picture): Figure {
  let drawn: Picture | undefined;
  const picture = () => {
    drawn ??= draw();
    return drawn;
  };
  return {
    svg: () => pictureAsSvg(picture()),
    mermaid: () => pictureAsMermaid({ ...picture(), places: split(picture())[0] }),
    page: () => ({ markup: pageOf(picture()).text, style: STYLE.text }),
  };
}

/**
 * Draws what comes and goes alone, for a page with several drawings; undefined where nothing does.
 *
 * @param prefix of anchors, one for each drawing of the page
 */
export function changesView(picture: Picture, prefix: string): Markup | undefined {
  const [changed] = split(picture);
  if (changed.length === 0) return undefined;
  return html`${legend({ ...picture, places: changed })}${stackViews(changed, anchors(changed, prefix))}`;
}

/** Shows what changes first, and the rest below a fold. */
function pageOf(picture: Picture): Markup {
  const { places, isCompared } = picture;
  const [changed, others] = split(picture);
  const anchorOf = anchors(places, 'line');
  const isDrawn = others.flatMap(({ lines }) => lines).length <= MOST_AS_BEFORE;
  return html`<section><h2>${isCompared ? 'Before and after' : 'Who may reach what'}</h2>
${legend(picture)}${stackViews(changed, anchorOf)}
${others.length > 0 && html`<details><summary>${counted(others.length, 'place')} as before</summary>${stackViews(others, anchorOf, isDrawn)}</details>`}</section>
`;
}

function anchors(places: readonly Place[], prefix: string): (line: Line) => string {
  const all = places.flatMap(({ lines }) => lines);
  const ids = new Map(all.map((line, i) => [line, `${prefix}-${i + 1}`]));
  return (line) => ids.get(line) ?? '';
}

/** Of so many lines as before a change there is a drawing; of more, sentences. */
const MOST_AS_BEFORE = 40;

/** The places where something comes or goes, and the others; of what is not compared all are the first. */
function split({ places, isCompared }: Picture): [Place[], Place[]] {
  const isShown = ({ lines }: Place) => !isCompared || lines.some(({ mark }) => mark !== 'kept');
  return [places.filter(isShown), places.filter((place) => !isShown(place))];
}

/** Explains the signs, of those that are drawn. */
function legend({ places, isCompared }: Picture): Markup {
  const lines = places.flatMap((place) => place.lines);
  const has = (wanted: Partial<Line>) =>
    lines.some((line) =>
      Object.entries(wanted).every(([key, value]) => line[key as keyof Line] === value),
    );
  const words = [
    isCompared && '+ green and thick: opens',
    isCompared && '− red and dashed: closes',
    isCompared && has({ mark: 'kept', state: 'open' }) && 'thin: as before',
    has({ state: 'doubt' }) && '? dotted: may pass, depending on what is not known',
    lines.some(({ stop }) => stop !== undefined) && '✕: a closed door',
  ].filter((one) => one !== false);
  return html`<p class="small">${['Choose a line to read its rules', ...words].join(' · ')}</p>
`;
}

/** A drawing for each stack, with its sentences. */
function stackViews(
  places: readonly Place[],
  anchorOf: (line: Line) => string,
  isDrawn = true,
): Markup[] {
  const stacks = groupBy(places, ({ stack }) => stack);
  return [...stacks].map(([stack, own]) => {
    const drawing = drawPlaces({ title: `Who may reach what in ${stack}`, places: own, anchorOf });
    return html`<h3 class="stack">${stack}</h3>
${isDrawn && html`<div class="drawing" role="region" tabindex="0" aria-label="Drawing of ${stack}">${drawing}</div>`}
<ul class="lines">${own.map((place) => place.lines.map((line) => lineView(line, place, anchorOf(line))))}</ul>
`;
  });
}

function ruleText({ effect, rule, resource, file }: Line['rules'][number]): string {
  return `${effect} by ${resource}${file === '' ? '' : ` in ${file}`}: ${rule}`;
}

/** Says that a door is closed for no rule opens it. */
function lackOf({ stop, rules }: Line, { doors }: Place): string[] {
  const door = stop === undefined ? undefined : doors[stop];
  if (door === undefined || rules.some(({ effect }) => effect === 'drop')) return [];
  return [`no rule of ${door.word} ${door.name} lets it through`];
}

/** A sentence, which opens; what a link of the drawing leads to is inside, so that a browser opens it. */
function lineView(line: Line, place: Place, id: string): Markup {
  const { mark, state, peers, rules, reason, depends, packet, resource } = line;
  const facts: readonly (readonly [string, readonly string[]])[] = [
    ['peers', peers.length > 1 ? [peers.join(', ')] : []],
    ['rules', [...rules.map(ruleText), ...lackOf(line, place)]],
    ['reason', [reason]],
    ['depends on', [depends]],
    ['for example', [packet]],
    ['through', rules.some((rule) => resource.includes(rule.resource)) ? [] : [resource]],
  ];
  const shown = facts.map(([name, values]) => [name, values.filter((one) => one !== '')] as const);
  return html`<li class="${mark} ${state}"><details><summary>${line.stop === undefined ? SIGNS[mark] : '✕ '}${sentenceOf(line, place)}</summary>
<dl id="${id}">${shown.map(([name, values]) => values.length > 0 && html`<dt>${name}</dt>${values.map((value) => html`<dd>${value}</dd>`)}`)}</dl></details></li>
`;
}
