import { shortened } from '../files/escape.js';
import { counted } from '../lists/counted.js';
import { html, Markup } from '../report/markup.js';
import { type DoorBox, type Line, type Picture, type Place, SIGNS, sentenceOf } from './model.js';

/** Sizes in pixels: of boxes, of the way between them, and of a row. */
const PEER = 260;
const DOOR = 176;
const OWN = 240;
const GAP = 34;
const ROW = 50;
const HEAD = 40;
const BETWEEN = 26;
/** Characters that fit in a box of so many pixels. */
const PER_CHARACTER = 6.9;

/** One of several drawings of a picture. */
export interface Drawing {
  readonly title: string;
  readonly places: readonly Place[];
  /** The anchor of a line in the page; none in a drawing on its own. */
  readonly anchorOf?: (line: Line) => string;
}

/** Draws a picture as a file of its own, which loads nothing from elsewhere. */
export function pictureAsSvg({ places, isCompared }: Picture): string {
  const title = isCompared ? 'Who may reach what, before and after' : 'Who may reach what';
  const { text } = drawPlaces({ title, places }, STYLE);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`;
}

/** Draws places one below the other. @param style of a file of its own */
export function drawPlaces({ title, places, anchorOf }: Drawing, style?: Markup): Markup {
  const doors = Math.max(1, ...places.map((place) => place.doors.length));
  const width = PEER + GAP + doors * (DOOR + GAP) + OWN + 4;
  let y = 2;
  const drawn = places.map((place) => {
    const at = html`<g transform="translate(2 ${y})">${drawPlace(place, width - 4, anchorOf)}</g>
`;
    y += heightOf(place) + BETWEEN;
    return at;
  });
  const height = Math.max(y - BETWEEN + 2, 60);
  const lines = places.flatMap((place) => place.lines);
  const about = `${counted(lines.length, 'line')}, each from whoever calls through the doors to what is called.`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" class="picture" role="group" aria-label="${title}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${title}</title><desc>${about}</desc>
${
  style &&
  html`<style>${style}</style>
`
}${drawn}</svg>`;
}

function heightOf({ lines }: Place): number {
  return HEAD + lines.length * ROW;
}

/** The box of the place, its doors beside it, and a row for each line. */
function drawPlace(place: Place, width: number, anchorOf: Drawing['anchorOf']): Markup {
  const { doors, lines, direction } = place;
  const isInward = direction === 'ingress';
  const ownAt = isInward ? width - OWN : 0;
  const doorsAt = isInward ? ownAt - doors.length * (DOOR + GAP) : OWN + GAP;
  const at = (i: number) => doorsAt + i * (DOOR + GAP);
  return html`${ownBox(place, ownAt)}
${doors.map((door, i) => doorBox(door, at(i), heightOf(place)))}
${lines.map((line, i) => {
  const row = drawRow({ line, place, y: HEAD + i * ROW + ROW / 2, width, at });
  const sentence = sentenceOf(line, place);
  const kind = `line ${line.mark} ${line.state}`;
  return anchorOf === undefined
    ? html`<g class="${kind}" role="img" tabindex="0" aria-label="${sentence}"><title>${sentence}</title>${row}</g>
`
    : html`<a class="${kind}" href="#${anchorOf(line)}"><title>${sentence}</title>${row}</a>
`;
})}`;
}

function ownBox({ subject, role, hosts, lines, stack }: Place, x: number): Markup {
  const height = HEAD + lines.length * ROW - 4;
  const texts = [
    ['strong', subject],
    ['weak', role],
    ...hosts.slice(0, 1).map((name) => ['weak', name] as const),
  ] as const;
  const shown = texts.filter(([, text]) => text !== '').slice(0, height > 70 ? 3 : 2);
  return html`<g class="own"><title>${[subject, role, ...hosts, stack].filter(Boolean).join(', ')}</title>
<rect x="${x}" y="2" width="${OWN}" height="${height}" rx="10"/>
${shown.map(([kind, text], i) => label(text, { x: x + OWN / 2, y: height / 2 + 6 + (i - (shown.length - 1) / 2) * 18, room: OWN, kind: `${kind} middle` }))}</g>`;
}

function doorBox({ word, name }: DoorBox, x: number, height: number): Markup {
  const middle = x + DOOR / 2;
  return html`<g class="door"><title>${word} ${name}</title>
<rect x="${x}" y="2" width="${DOOR}" height="${height - 6}" rx="4"/>
${label(word, { x: middle, y: 17, room: DOOR, kind: 'strong middle' })}
${label(name, { x: middle, y: 33, room: DOOR, kind: 'weak middle' })}</g>`;
}

interface Row {
  readonly line: Line;
  readonly place: Place;
  readonly y: number;
  readonly width: number;
  /** The left side of each door. */
  readonly at: (door: number) => number;
}

/** Whoever calls or is called, and the way as far as it goes; its sign says by its shape what its colour says. */
function drawRow({ line, place, y, width, at }: Row): Markup {
  const { mark, state, stop, label: peers, services } = line;
  const isInward = place.direction === 'ingress';
  const peerAt = isInward ? 0 : width - PEER;
  const [from, to] = isInward ? [PEER, width - OWN] : [OWN, peerAt];
  const end = stop === undefined ? to : at(stop) + DOOR / 2;
  const sign = `${SIGNS[mark]}${state === 'doubt' ? '?' : ''}`.trim();
  return html`<rect class="peer" x="${peerAt}" y="${y - 21}" width="${PEER}" height="40" rx="8"/>
${label(peers, { x: peerAt + 12, y: y - 5, room: PEER - 30, kind: 'strong' })}
${label(services, { x: peerAt + 12, y: y + 12, room: PEER - 30, kind: 'weak' })}
${sign !== '' && label(sign, { x: peerAt + PEER - 16, y: y + 5, room: 20, kind: 'sign middle' })}
<path class="way" d="M${from} ${y}H${end - 9}"/>${
    stop === undefined
      ? html`<path class="head" d="M${to} ${y}l-10 6v-12z"/>`
      : html`<g class="shut"><circle cx="${end}" cy="${y}" r="10"/><path d="M${end - 4} ${y - 4}l8 8m0-8l-8 8"/></g>`
  }`;
}

interface Label {
  readonly x: number;
  readonly y: number;
  /** Pixels. */
  readonly room: number;
  readonly kind: string;
}

/** A text that stays in its box; all of it is in the sentence of its line, or in the title of its box. */
function label(text: string, { x, y, room, kind }: Label): Markup {
  const most = Math.floor((room - 8) / PER_CHARACTER);
  const shown = shortened(text.replaceAll(/\s+/g, ' '), most);
  return html`<text class="${kind}" x="${x}" y="${y}">${shown}</text>`;
}

/** Colours that are told apart in the light and in the dark, each beside a sign or a shape. */
export const STYLE = new Markup(`
.picture { --ink: #1b2230; --weak: #525c6e; --box: #fff; --edge: #8a94a6; --own: #e8eefc; --door: #f1f3f6; --open: #2f5fb3; --added: #17794a; --removed: #b3261e; --doubt: #8f5b00; --closed: #566072; font: 12px system-ui, sans-serif; background: #f6f7f9; }
@media (prefers-color-scheme: dark) {
  .picture { --ink: #e6e9ef; --weak: #a9b2c1; --box: #1b2028; --edge: #6b7688; --own: #1d2b47; --door: #242a34; --open: #8ab4ff; --added: #5fd39a; --removed: #ff8f86; --doubt: #f0b952; --closed: #a0a9b8; background: #12151b; }
}
.picture text { fill: var(--ink); }
.picture .strong { font-weight: 600; }
.picture .weak { fill: var(--weak); }
.picture .middle { text-anchor: middle; }
.picture .own rect { fill: var(--own); stroke: var(--edge); }
.picture .door rect { fill: var(--door); stroke: var(--edge); }
.picture .line { --tone: var(--open); text-decoration: none; outline: none; }
.picture .doubt { --tone: var(--doubt); }
.picture .closed { --tone: var(--closed); }
.picture .added { --tone: var(--added); }
.picture .removed { --tone: var(--removed); }
.picture .line:hover .peer, .picture .line:focus .peer { stroke-width: 4; }
.picture .line:focus .way { stroke-width: 5; }
.picture .peer { fill: var(--box); stroke: var(--tone); }
.picture .way { fill: none; stroke: var(--tone); stroke-width: 1.5; }
.picture .added .way { stroke-width: 4; }
.picture .removed .way { stroke-width: 2.5; stroke-dasharray: 9 6; }
.picture .doubt .way, .picture .closed .way { stroke-dasharray: 2 5; }
.picture .head { fill: var(--tone); }
.picture .sign { fill: var(--tone); font-weight: 700; font-size: 18px; }
.picture .shut circle { fill: var(--tone); }
.picture .shut path { stroke: var(--box); stroke-width: 2.5; fill: none; }
`);
