import { ASSUMED, KNOWN } from '../src/reach/semantics.js';

/** The cloud's rules of decision on who reaches whom, as Markdown. */
export function cloudDecisionsReference(): string {
  return [
    '# How the cloud decides',
    '',
    'Reviews, rehearsals, [`reach`](reach.md) and `expectAccess` compute who may reach what by these rules. This page is generated.',
    '',
    '## Known',
    '',
    '| | question | answer | source |',
    '| --- | --- | --- | --- |',
    ...Object.entries(KNOWN).map(
      ([id, { question, answer, source }]) => `| \`${id}\` | ${question} | ${answer} | ${source} |`,
    ),
    '',
    '## Assumed',
    '',
    'No documentation answers these questions. Every result is computed with both answers. Where they differ, an opening counts as open and a cut as closed, and `reach` answers `UNDECIDED` and names the question.',
    '',
    '| | question | either | or | why it is in doubt |',
    '| --- | --- | --- | --- | --- |',
    ...Object.entries(ASSUMED).map(
      ([id, { question, open, closed, source }]) =>
        `| \`${id}\` | ${question} | ${open} | ${closed} | ${source} |`,
    ),
    '',
  ].join('\n');
}
