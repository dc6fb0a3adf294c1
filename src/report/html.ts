import { type Fact, type ReportDocument, type Section, STATUS, type Tone } from './document.js';
import { badge, html, htmlPage, Markup } from './markup.js';
import { problemCards } from './problem-cards.js';

/** The styles of tables and figures, which the page of a check does not need. */
const STYLE = new Markup(`
h1, h2, summary, td, li { overflow-wrap: anywhere; }
section { margin-top: 1.5rem; }
table { border-collapse: collapse; width: 100%; margin-top: .5rem; font-size: .9rem; background: var(--card); }
th, td { border: 1px solid var(--line); padding: .4rem .6rem; text-align: left; vertical-align: top; }
th { font-size: .8rem; color: var(--weak); }
section > ul:not(.lines) > li { margin: .35rem 0 0 1.4rem; list-style: disc; }
section > ol > li { margin: .35rem 0 0 1.4rem; list-style: decimal; }
section > details { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .75rem; margin-top: .5rem; }
section > details > summary { font-weight: 600; }
.stack { text-transform: none; letter-spacing: 0; font-size: 1rem; color: var(--text); overflow-wrap: anywhere; }
.drawing { overflow-x: auto; border: 1px solid var(--line); border-radius: .75rem; }
.drawing .picture { display: block; }
section .lines > li { list-style: none; margin: .25rem 0; padding-left: .75rem; border-left: 4px solid var(--line); overflow-wrap: anywhere; }
.lines .added { border-color: var(--passed); }
.lines .removed { border-color: var(--failed); }
.lines .doubt { border-color: var(--warned); }
.lines details:has(:target) { background: var(--skipped-ground); }
.lines summary { justify-content: flex-start; }
.lines summary:focus-visible, .drawing:focus-visible { outline: 3px solid currentcolor; }
.lines dl { display: grid; grid-template-columns: minmax(6rem, max-content) 1fr; gap: .15rem 1rem; padding: .4rem 0 .6rem; font-size: .9rem; scroll-margin-top: 5rem; }
.lines dt { grid-column: 1; color: var(--weak); }
.lines dd { grid-column: 2; min-width: 0; }
@media (max-width: 44rem) {
  table, tbody, tr, td { display: block; }
  thead { display: block; position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  tr { border: 1px solid var(--line); border-radius: .5rem; margin-top: .5rem; padding: .25rem .6rem; }
  td { border: 0; padding: .2rem 0; }
  td:empty { display: none; }
  td::before { content: attr(data-column); display: block; font-size: .75rem; color: var(--weak); }
}
@media print {
  details::details-content { content-visibility: visible; height: auto; }
  thead { display: table-header-group; }
  .drawing { overflow: visible; }
  .drawing .picture { max-width: 100%; height: auto; }
}
`);

/** Writes a document as one page for a browser, which loads nothing from elsewhere and runs no script. */
export function documentAsPage(document: ReportDocument): string {
  const { headline, tone, title = '', sections, facts = [], figures = [] } = document;
  const drawn = figures.map(({ page }) => page());
  const style = new Markup([STYLE.text, ...new Set(drawn.map((one) => one.style))].join(''));
  const subjects = sections.filter((section) => section.tone !== undefined);
  const others = sections.filter((section) => section.tone === undefined);
  const run = html`<dl class="run">${facts.map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>`;
  const body = html`<header class="${tone}">${badge(tone)}<div>${title !== '' && html`<p class="of">${title}</p>`}<h1>${headline}</h1></div>${facts.length > 0 && run}</header>
${others.filter(({ isFirst }) => isFirst).map(sectionView)}
${drawn.map(({ markup }) => new Markup(markup))}
${problemCards(subjects)}
${subjects.map((section, i) => subjectView(section, i, isOpen(section, subjects)))}
${others.filter(({ isFirst }) => !isFirst).map(sectionView)}`;
  return htmlPage({ title: title === '' ? headline : `${title}: ${headline}`, style, body });
}

/** Beyond so many that failed, or did not, they are shown closed. */
const MAX_OPEN = 4;

function isOpen({ tone }: Section, all: readonly Section[]): boolean {
  const isFailed = tone === 'failed';
  return all.filter((one) => (one.tone === 'failed') === isFailed).length <= MAX_OPEN;
}

/** A thing that was checked, with all that was seen of it. */
function subjectView(section: Section, anchor: number, open: boolean): Markup {
  const { title, about, tone = 'skipped', facts = [], more = [], page } = section;
  const note = ([name, text]: Fact) => html`<p class="note">${name}: ${text}</p>`;
  return html`<details class="link" id="subject-${anchor}"${open && html` open`}>
<summary>${badge(tone)}<span class="name">${title}</span> <span class="url">${about}</span></summary>
${facts.map(note)}
${more.length > 0 && html`<ul>${more.map(([name, text]) => html`<li><span class="small">${name}:</span> ${text}</li>`)}</ul>`}
${page === undefined ? section.rows.length > 0 && tableView(section) : new Markup(page())}
</details>
`;
}

function sectionView(section: Section): Markup {
  const { title, rows, isFolded, totals: _, columns } = section;
  const content = columns.length > 0 ? tableView(section) : listView(section);
  if (isFolded) {
    return html`<section><details><summary>${title} <small>${rows.length}</small></summary>${content}</details></section>
`;
  }
  return html`<section>${title !== '' && html`<h2>${title}</h2>`}${content}</section>
`;
}

/** A table, which on a narrow screen is a list of rows: roles keep its meaning there. */
function tableView({ title, columns, rows }: Section): Markup {
  const cells = (row: readonly string[]) =>
    row.map((cell, i) => {
      const sign = columns[i] === STATUS ? badge(cell as Tone) : cell;
      return html`<td role="cell" data-column="${columns[i]}">${sign}</td>`;
    });
  return html`<table role="table" aria-label="${title === '' ? 'Answer' : title}"><thead role="rowgroup"><tr role="row">${columns.map(
    (column) => html`<th role="columnheader" scope="col">${column}</th>`,
  )}</tr></thead><tbody role="rowgroup">
${[...rows].map(
  (row) => html`<tr role="row">${cells(row)}</tr>
`,
)}</tbody></table>`;
}

function listView({ rows, isOrdered, isAnswer }: Section): Markup {
  const items = [...rows].map(
    (row) => html`<li>${row.join(' ')}</li>
`,
  );
  return isOrdered || isAnswer ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`;
}
