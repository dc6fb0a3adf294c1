import { escapeXml } from '../files/escape.js';
import type { Tone } from './document.js';

/** Text that is markup already. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = Markup | string | number | undefined | false | readonly Part[];

/** Markup with values put in: texts are escaped, markup and lists of it are taken as they are. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.map((string, i) => string + rendered(parts[i])).join(''));
}

function rendered(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  return typeof part === 'object' ? part.map(rendered).join('') : escapeXml(String(part));
}

const SIGNS: Readonly<Record<Tone, string>> = {
  passed: '✓',
  warned: '!',
  failed: '✕',
  skipped: '–',
};

/** A status by shape and word as well as by colour. */
export function badge(status: Tone): Markup {
  return html`<span class="badge ${status}" role="img" aria-label="${status}">${SIGNS[status]}</span>`;
}

/** The parts of a page that belong to one report alone. */
interface HtmlPage {
  readonly title: string;
  /** Beyond the style that all reports share. @default - nothing */
  readonly style?: Markup;
  readonly body: Markup;
}

/** A whole page for a browser, which loads nothing from elsewhere and runs no script. */
export function htmlPage({ title, style, body }: HtmlPage): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${STYLE}${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
  return page.text;
}

/** The look of the page. */
const STYLE = new Markup(`
:root {
  --ground: #f6f7f9; --card: #fff; --text: #1b2230; --weak: #5b6577; --line: #dfe3ea;
  --passed: #17794a; --passed-ground: #e4f4ec; --warned: #8f5b00; --warned-ground: #fdf1d8;
  --failed: #b3261e; --failed-ground: #fdeae8; --skipped: #566072; --skipped-ground: #eceff3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12151b; --card: #1b2028; --text: #e6e9ef; --weak: #a0a9b8; --line: #303846;
    --passed: #5fd39a; --passed-ground: #14342a; --warned: #f0b952; --warned-ground: #3a2d10;
    --failed: #ff8f86; --failed-ground: #421c1b; --skipped: #97a1b1; --skipped-ground: #272e39;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 1rem; }
h1, h2, h3, h4, p, ol, ul, dl, dd { margin: 0; }
h1 { font-size: 1.75rem; line-height: 1.2; }
h2 { font-size: 1.2rem; line-height: 1.35; }
h3 { font-size: .8rem; margin: 1.1rem 0 .35rem; color: var(--weak); text-transform: uppercase; letter-spacing: .06em; }
h4 { font-size: .95rem; margin: 1rem 0 .25rem; }
ol, ul { padding: 0; list-style: none; }
a { color: inherit; }
code, .url, .facts { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .85em; overflow-wrap: anywhere; }
small, .small { font-size: .85rem; color: var(--weak); }
.passed { --tone: var(--passed); --tint: var(--passed-ground); }
.warned { --tone: var(--warned); --tint: var(--warned-ground); }
.failed { --tone: var(--failed); --tint: var(--failed-ground); }
.skipped { --tone: var(--skipped); --tint: var(--skipped-ground); }
.badge { display: inline-grid; place-items: center; flex: none; width: 1.75em; height: 1.75em; border-radius: 50%;
  border: 2px solid var(--tone); background: var(--tint); color: var(--tone); font-weight: 700; line-height: 1; font-size: .85rem; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem 1.25rem; padding: 1.25rem; border-radius: .75rem;
  background: var(--tint); border: 1px solid var(--tone); }
header > .badge { font-size: 1.5rem; background: var(--card); }
header h1 { color: var(--tone); }
.run { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; margin-left: auto; }
.run dt { font-size: .75rem; color: var(--weak); }
.run dd { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.card, .link { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.1rem 1.25rem; margin-top: 1rem; }
.card { border-left: 5px solid var(--tone); }
.card h2 code, .hop code, .others code { color: var(--tone); background: var(--tint); padding: .1em .4em; border-radius: .3em; font-weight: 500; }
.card > p { margin-top: .5rem; max-width: 62rem; }
.of { margin: 0 0 .25rem; font-weight: 600; color: var(--weak); overflow-wrap: anywhere; }
.of li { font-weight: 400; font-size: .9rem; }
.each dt { font-weight: 600; margin-top: .35rem; overflow-wrap: anywhere; }
.many { margin-top: 1rem; }
.many > summary { font-weight: 600; font-size: .95rem; justify-content: flex-start; }
.remedy { padding: .65rem .8rem; border-radius: .5rem; background: var(--passed-ground); }
.remedy strong { display: block; color: var(--passed); font-size: .85rem; }
.inspect { padding: .65rem .8rem; border-radius: .5rem; background: var(--skipped-ground); }
.inspect strong { display: block; font-size: .85rem; }
.others { counter-reset: cause 1; }
.others li { margin: .35rem 0; padding-left: 1.5rem; position: relative; }
.others li::before { counter-increment: cause; content: counter(cause) "."; position: absolute; left: 0; color: var(--weak); }
.note { margin-top: .6rem; padding: .4rem .75rem; border-left: 3px solid var(--warned); background: var(--warned-ground); border-radius: .25rem; font-size: .9rem; overflow-wrap: anywhere; }
summary { cursor: pointer; display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; list-style: none; }
summary::-webkit-details-marker { display: none; }
.link > summary .name { font-size: 1.2rem; font-weight: 650; overflow-wrap: anywhere; }
summary::after { content: "+"; color: var(--weak); font-weight: 700; }
details[open] > summary::after { content: "−"; }
.path { display: flex; align-items: flex-start; margin: 1.25rem 0 .5rem; }
.ways { flex: 4 1 0; min-width: 0; display: flex; flex-direction: column; gap: 1rem; }
.way { display: flex; position: relative; }
.way:not(:last-child)::before, .way:not(:last-child)::after { content: ""; position: absolute; top: .875rem; bottom: -1.875rem; border-left: 2px solid var(--line); }
.way:not(:last-child)::before { left: -1px; }
.way:not(:last-child)::after { right: -1px; }
.hop { flex: 1 1 0; min-width: 0; display: flex; flex-direction: column; align-items: center; text-align: center; position: relative; padding: 0 .2rem; }
.hop .badge { position: relative; z-index: 1; font-size: 1rem; }
.hop::before { content: ""; position: absolute; top: calc(1rem * 1.75 / 2 - 1px); right: calc(50% + 1rem); width: calc(100% - 2rem); border-top: 2px solid var(--tone); }
.hop.failed::before { border-top: 3px dashed var(--tone); }
.hop.skipped::before { border-top: 2px dotted var(--tone); opacity: .6; }
.path > .hop:first-child::before { display: none; }
.way + .way > .hop:first-child::before { width: calc(50% - 1rem); }
.way + .way > .hop:last-child::after { content: ""; position: absolute; top: calc(1rem * 1.75 / 2 - 1px); left: calc(50% + 1rem); right: 0; border-top: 2px solid var(--tone); }
.way + .way > .hop.skipped:last-child::after, .way + .way > .hop.failed:last-child::after { border-top: 2px dotted var(--skipped); opacity: .6; }
.place { font-weight: 600; font-size: .9rem; margin-top: .3rem; }
.hop.skipped .place { color: var(--weak); font-weight: 500; }
.detail { font-size: .78rem; color: var(--weak); overflow-wrap: anywhere; font-variant-numeric: tabular-nums; max-width: 100%; }
.detail:empty { display: none; }
.hop code { margin-top: .25rem; font-size: .75rem; }
.evidence { margin-top: 1rem; border-top: 1px solid var(--line); padding-top: .75rem; }
.evidence dl { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: .1rem 1rem; font-size: .85rem; }
.evidence dt { color: var(--weak); overflow-wrap: anywhere; }
.evidence dd { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .95em; overflow-wrap: anywhere; }
@media (max-width: 44rem) {
  main { padding: .6rem; }
  .run { margin-left: 0; }
  .path { overflow-x: auto; }
  .hop { min-width: 6rem; }
  .ways { min-width: 26rem; }
  .evidence dl { grid-template-columns: 1fr; }
}
@media print { body { background: none; } details > * { display: block; } }
`);
