import { titleOf } from '../../codes/stated.js';
import { vantagePointTable } from '../model/failure-patterns.js';
import type { Finding, LinkResult, Verification } from '../model/verification.js';
import {
  counts,
  headline,
  isReachable,
  ONLY_THE_SERVICE,
  overallStatus,
  type PluginRow,
  pluginRows,
  worstFirst,
} from './connections.js';
import { causeRemedy } from './diagnosis-text.js';
import { milliseconds, summary } from './stage-facts.js';

/**
 * The maximum size of a step's summary in GitHub Actions, less some room for what is there already.
 */
const MAX_BYTES = 900_000;

const SIGN: Record<Finding['status'], string> = {
  passed: '✅',
  warned: '⚠️',
  failed: '❌',
  skipped: '➖',
};

/** A Markdown page for the step summary of GitHub Actions: failures come first. */
export function markdownReport(verification: Verification): string {
  const { links, verdict, elapsedMs, accessDigest, startedAt, skewMs } = verification;
  const { backends = [] } = verification;
  const rows = pluginRows(verification);
  const facts = [
    `started ${startedAt}`,
    `took ${milliseconds(elapsedMs)}`,
    skewMs !== undefined && `clock skew ${skewMs} ms`,
    accessDigest !== '' && `access digest ${code(accessDigest)}`,
  ].filter(Boolean);
  const head = [
    `## ${SIGN[overallStatus(verification)]} Connectivity: ${headline(verification, verdict)}`,
    '',
    `${counts(verification)}; ${facts.join('; ')}`,
    '',
    ...vantagePointLines(verification),
  ];
  const sections = worstFirst(links, isReachable).map(section);
  const lost = rows.filter(({ code }) => code !== undefined).map(pluginSection);
  const sound = rows.filter(({ code }) => code === undefined).map(pluginSection);
  const limit = backends.length > 0 ? `${inline(ONLY_THE_SERVICE)}\n` : '';
  return [`${head.join('\n')}\n`, ...lost, fitting(sections), ...sound, limit].join('');
}

function vantagePointLines(verification: Verification): string[] {
  const [vantagePoints, ...rows] = vantagePointTable(verification);
  if (vantagePoints === undefined) return [];
  const lines = [vantagePoints, vantagePoints.map(() => '---'), ...rows].map(tableRow);
  const { patterns = [] } = verification;
  return [...lines, '', ...patterns.map(({ text }) => `- ${inline(text)}`), ''];
}

function pluginSection(row: PluginRow): string {
  const { name, path, via, label, state, status, code: problem } = row;
  return [
    `### ${SIGN[status]} ${inline(name)} (${inline(label)})`,
    '',
    via === undefined ? code(path) : `${via}, ${code(path)}`,
    '',
    ...(problem === undefined
      ? [`- ${inline(state)}`]
      : [
          `1. **${inline(titleOf({ code: problem }))}** (${code(problem)}): ${inline(state)}`,
          `   - Remedy: ${inline(causeRemedy({ code: problem }))}`,
        ]),
    '',
    '',
  ].join('\n');
}

function fitting(sections: readonly string[]): string {
  let bytes = 0;
  const count = sections.findIndex((section) => {
    bytes += Buffer.byteLength(section);
    return bytes > MAX_BYTES;
  });
  if (count < 0) return sections.join('');
  return `${sections.slice(0, count).join('')}${sections.length - count} more links are not shown.\n`;
}

function section(link: LinkResult): string {
  const { name, via, baseUrl, verdict, stages, causes, ruledOut, notes, connectTo } = link;
  const isGood = isReachable(link);
  const sign = isGood ? SIGN.passed : SIGN.failed;
  return [
    `### ${sign} ${inline(name)} (${verdict})`,
    '',
    `${via}, ${code(baseUrl)}`,
    '',
    ...causes.flatMap((cause, i) => [
      `${i + 1}. **${inline(titleOf(cause))}** (${code(cause.code)}): ${inline(cause.text)}`,
      `   - Remedy: ${inline(causeRemedy(cause))}`,
      ...(cause.inspect ? [`   - Inspect: ${inline(cause.inspect)}`] : []),
      ...(cause.evidence ? [`   - Evidence: ${inline(cause.evidence)}`] : []),
    ]),
    ...ruledOut.map(({ text, evidence }) => `- Ruled out: ${inline(text)} (${inline(evidence)})`),
    ...notes.map((note) => `- Note: ${inline(note)}`),
    ...connectTo.map(({ from, to }) => `- Connect-to: ${code(to)} instead of ${code(from)}`),
    '',
    `<details${isGood ? '' : ' open'}><summary>Stages</summary>`,
    '',
    '| | stage | address | time | |',
    '| --- | --- | --- | ---: | --- |',
    ...stages.map(stageRow),
    '',
    '</details>',
    '',
    '',
  ].join('\n');
}

function stageRow(finding: Finding): string {
  const { status, stage, address = '', elapsedMs } = finding;
  return tableRow([SIGN[status], stage, address, milliseconds(elapsedMs), summary(finding)]);
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map(inline).join(' | ')} |`;
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
