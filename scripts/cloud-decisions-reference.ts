import { SEEN_ROWS } from '../src/reach/seen.js';
import { ASSUMED, DOCUMENTED } from '../src/reach/semantics.js';
import { CLOUD_FAULTS } from '../src/sandbox/faults/cloud-faults.js';

/** What is documented of the cloud, what was seen of it, and what is assumed, as the last part of a page. */
export function cloudDecisionsReference(): string {
  return [
    '## How the cloud decides',
    '',
    'Reviews, rehearsals, `reach` and `expectAccess` compute who may reach what by the rules that are documented or assumed. What was seen on the real cloud is played by the [sandbox](sandbox.md#faults). This part is generated.',
    '',
    '### Documented',
    '',
    '| | question | answer | source |',
    '| --- | --- | --- | --- |',
    ...Object.entries(DOCUMENTED).map(
      ([id, { question, answer, source }]) => `| \`${id}\` | ${question} | ${answer} | ${source} |`,
    ),
    '',
    '### Seen',
    '',
    'People with an account saw the real cloud do this, and wrote it down. It counts more than documentation, and less than a measurement of your own ([`ready --measure`](deploy.md#measure-the-real-cloud)). `sandbox --like-real` turns on every fault of the table; `sandbox --fault NAME` turns on one.',
    '',
    '| | what the cloud does | seen by | what is made of it | still assumed | fault |',
    '| --- | --- | --- | --- | --- | --- |',
    ...SEEN_ROWS.map(
      ([id, { answer, source, here, assumed = '' }]) =>
        `| \`${id}\` | ${answer} | ${source} | ${here} | ${assumed} | ${faultOf(id)} |`,
    ),
    '',
    '### Assumed',
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

/** The fault that plays something seen, or nothing. */
function faultOf(id: string): string {
  const fault = CLOUD_FAULTS.find((one) => 'seen' in one && one.seen === id);
  return fault === undefined ? '' : `\`${fault.name}\``;
}
