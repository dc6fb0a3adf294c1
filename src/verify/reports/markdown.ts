import type { Finding, LinkResult, Verification } from '../verification.js';
import { remedyOf, titleOf } from './diagnosis-text.js';
import { milliseconds, summary } from './told.js';

/** What a step of GitHub Actions may write, less some room for what is there already. */
const LARGEST_BYTES = 900_000;

const SIGN: Record<Finding['status'], string> = {
  passed: '✅',
  warned: '⚠️',
  failed: '❌',
  skipped: '➖',
};

/** A page of Markdown as the step summary of GitHub Actions shows it: what failed comes first. */
export function markdownReport(verification: Verification): string {
  const { links, verdict, elapsedMs, accessDigest, startedAt, skewMs } = verification;
  const isGood = (link: LinkResult) => link.verdict === 'reachable';
  const good = links.filter(isGood);
  const facts = [
    `started ${startedAt}`,
    `took ${milliseconds(elapsedMs)}`,
    skewMs !== undefined && `clock skew ${skewMs} ms`,
    accessDigest !== '' && `access digest ${code(accessDigest)}`,
  ].filter(Boolean);
  const head = [
    `## ${verdict === 'reachable' ? SIGN.passed : SIGN.failed} Connectivity: ${verdict}`,
    '',
    `${good.length} of ${links.length} links reachable; ${facts.join('; ')}`,
    '',
  ];
  const sections = [...links.filter((link) => !isGood(link)), ...good].map(section);
  return `${head.join('\n')}\n${fitting(sections)}`;
}

function fitting(sections: readonly string[]): string {
  let bytes = 0;
  const count = sections.findIndex((section) => {
    bytes += Buffer.byteLength(section);
    return bytes > LARGEST_BYTES;
  });
  if (count < 0) return sections.join('');
  return `${sections.slice(0, count).join('')}${sections.length - count} more links are not shown.\n`;
}

function section(link: LinkResult): string {
  const { name, via, baseUrl, verdict, stages, causes, ruledOut, notes, reroutes } = link;
  const { changes = [] } = link;
  const isGood = verdict === 'reachable';
  const sign = isGood ? SIGN.passed : SIGN.failed;
  return [
    `### ${sign} ${inline(name)} (${verdict})`,
    '',
    `${via}, ${code(baseUrl)}`,
    '',
    ...causes.flatMap((cause, i) => [
      `${i + 1}. **${inline(titleOf(cause.code))}** (${code(cause.code)}): ${inline(cause.text)}`,
      `   - Remedy: ${inline(remedyOf(cause))}`,
      ...(cause.look ? [`   - To decide: ${inline(cause.look)}`] : []),
      ...(cause.evidence ? [`   - Evidence: ${inline(cause.evidence)}`] : []),
    ]),
    ...ruledOut.map(({ text, evidence }) => `- It is not ${inline(text)} (${inline(evidence)})`),
    ...changes.map(
      ({ what, before, after }) => `- Changed: ${what}: ${inline(before)} → ${inline(after)}`,
    ),
    ...notes.map((note) => `- Note: ${inline(note)}`),
    ...reroutes.map(({ from, to }) => `- Rerouted: ${code(from)} is dialled at ${code(to)}`),
    '',
    `<details${isGood ? '' : ' open'}><summary>Stages</summary>`,
    '',
    '| | stage | address | time | |',
    '| --- | --- | --- | ---: | --- |',
    ...stages.map(row),
    '',
    '</details>',
    '',
    '',
  ].join('\n');
}

function row(finding: Finding): string {
  const { status, stage, address = '', elapsedMs } = finding;
  const shown = [stage, address, milliseconds(elapsedMs), summary(finding)].map(inline);
  const cells = [SIGN[status], ...shown];
  return `| ${cells.join(' | ')} |`;
}

/** Text that is shown as it is: no markup of Markdown, HTML or GitHub in it is obeyed. */
function inline(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[&<>\\`*_[\]#|~@]|(?<=https?):/gi, (one) => `&#${one.charCodeAt(0)};`);
}

function code(text: string): string {
  return `<code>${inline(text)}</code>`;
}
