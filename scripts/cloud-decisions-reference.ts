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
    'No documentation answers these questions. Every result has two bounds: what passes if they are answered for the packets, and what passes if they are answered against them. An opening counts by the first and a cut by the second, `reach` answers `UNDECIDED` where they differ and names the question, and a note of the review names the question on which its result depends.',
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
