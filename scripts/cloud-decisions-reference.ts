import { ASSUMED, KNOWN } from '../src/reach/semantics.js';

const STATED = [
  '## Stated by the owner',
  '',
  'If you have seen how the live cloud decides, answer the row in the settings, with the day and how you saw it (a stack of your own calls `stateCloudDecisions`):',
  '',
  '```json',
  '"cloudDecisions": {',
  '  "group-outward": { "answer": "closed", "seen": "2026-11-20", "how": "a host of a test VPC dialled 192.0.2.9" }',
  '}',
  '```',
  '',
  '`open` is the first of both answers, `closed` the second. `reach`, reviews, rehearsals, intents and `expectAccess` then decide by the answer alone, and reports print it as stated by the owner. Stacks have it as the output `cloud-decisions`, so that a state has it too.',
  '',
  'A review and a rehearsal decide by the answers of the base alone: an answer that a change adds, edits or removes is a finding that needs approval, and counts from the next change on. Otherwise a change could hide what it opens by answering a row. If stacks of one rehearsal answer a row differently, it stays in doubt.',
  '',
];

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
    'No documentation answers these questions. Every result is computed with both answers. Where they differ, an opening counts as open and a cut as closed, `reach` answers `UNDECIDED` and names the question, and a note of the review names the question on which its result depends. What opens or closes under either answer is a row of the review.',
    '',
    '| | question | either | or | why it is in doubt |',
    '| --- | --- | --- | --- | --- |',
    ...Object.entries(ASSUMED).map(
      ([id, { question, open, closed, source }]) =>
        `| \`${id}\` | ${question} | ${open} | ${closed} | ${source} |`,
    ),
    '',
    ...STATED,
  ].join('\n');
}
