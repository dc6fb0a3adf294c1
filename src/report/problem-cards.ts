import { groupBy, type NonEmpty } from '../lists/group-by.js';
import type { Problem, Section } from './document.js';
import { html, type Markup } from './markup.js';

/** Problems of one thing that was checked, with the others that it is to be told from. */
interface Trouble {
  readonly name: string;
  readonly anchor: number;
  readonly problems: NonEmpty<Problem>;
}

/** Shows one card for all that failed for the same causes, and for all that are warned of alike. */
export function problemCards(subjects: readonly Section[]): Markup[] {
  const troubles = subjects.flatMap(({ title, problems = [] }, anchor) => {
    const failed = problems.filter(({ tone }) => tone !== 'warned');
    const warned = problems.filter(({ tone }) => tone === 'warned').map((one) => [one]);
    return [failed, ...warned].flatMap(([first, ...more]): Trouble[] =>
      first === undefined ? [] : [{ name: title, anchor, problems: [first, ...more] }],
    );
  });
  const alike = groupBy(troubles, ({ problems }) =>
    JSON.stringify(problems.map(({ evidence: _, at: __, ...one }) => one)),
  );
  const grave = ({ problems: [{ tone }] }: Trouble) => Number(tone === 'warned');
  const groups = [...alike.values()].sort(([a], [b]) => grave(a) - grave(b));
  return groups.map((group) => problemCard(group, subjects.length > 1));
}

function problemCard(group: NonEmpty<Trouble>, hasNames: boolean): Markup {
  const [{ problems }, ...alike] = group;
  const [first, ...others] = problems;
  const { tone, cause, remedy, inspect } = first;
  return html`<article class="card ${tone}">
${hasNames && html`<ul class="of">${group.map(({ name, anchor }) => html`<li><a href="#subject-${anchor}">${name}</a></li>`)}</ul>`}
${titleView(first)}
${cause && html`<p>${cause}</p>`}
<p class="remedy"><strong>What to do</strong> ${remedy}</p>
${inspect && html`<p class="inspect"><strong>Inspect</strong> ${inspect}</p>`}
${others.length > 0 && html`<h3>Also possible</h3><ol class="others">${others.map(otherView)}</ol>`}
${
  alike.length === 0
    ? problems.map(evidenceView)
    : html`<details class="small"><summary>Evidence of each</summary>
<dl class="each">${group.map((one) => html`<dt>${one.name}</dt>${one.problems.map((problem) => html`<dd>${evidenceView(problem)}</dd>`)}`)}</dl></details>`
}
</article>
`;
}

function titleView({ title, code }: Problem): Markup {
  return html`<h2>${title} <code>${code}</code></h2>`;
}

function otherView({ title, code, cause, remedy, inspect }: Problem): Markup {
  return html`<li><strong>${title}</strong> <code>${code}</code><br>${cause} ${remedy}${inspect && html`<br>Inspect: ${inspect}`}</li>`;
}

function evidenceView({ code, at, evidence }: Problem): Markup {
  const seen = [at && `at ${at}`, evidence].filter(Boolean).join('; ');
  return html`${seen !== '' && html`<p class="small"><code>${code}</code> <span class="facts">${seen}</span></p>`}`;
}
