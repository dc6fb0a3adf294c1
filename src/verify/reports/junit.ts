import { EXIT, factsOf, isCode } from '../../codes/codes.js';
import { xmlAttributes as attributes, escapeXml } from '../../files/escape.js';
import type { Change, Finding, LinkResult, Verification } from '../model/verification.js';
import { type PluginRow, pluginRows } from './connections.js';
import { remedyOf, titleOf } from './diagnosis-text.js';
import { describeChange, summary } from './stage-facts.js';

/**
 * A test suite for each link and a test case for each stage, by address where there are several; one
 * more suite each for connections and servers of private plugins.
 */
export function junitReport(verification: Verification): string {
  const { links, connections, backends, changes = [], startedAt, elapsedMs } = verification;
  const suites = [
    ...links.map((link) => suite(link, startedAt)),
    ...pluginSuite('plugin connections', pluginRows({ connections }), startedAt),
    ...pluginSuite('plugin servers', pluginRows({ backends }), startedAt),
    ...(changes.length > 0 ? [goneSuite(changes, startedAt)] : []),
  ];
  const outcomes = [
    ...links.flatMap(({ stages }) => stages),
    ...pluginRows(verification),
    ...changes.map(() => SKIPPED),
  ];
  const head = attributes({
    name: 'secure-connectivity verify',
    ...counts(outcomes),
    time: seconds(elapsedMs),
    timestamp: startedAt,
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${head}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(link: LinkResult, startedAt: string): string {
  const { name, via, baseUrl, verdict, accessDigest, attempts, stages, elapsedMs } = link;
  const properties = Object.entries({ via, baseUrl, verdict, accessDigest, attempts })
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `      <property${attributes({ name: key, value })}/>`);
  const head = attributes({
    name,
    ...counts(stages),
    time: seconds(elapsedMs),
    timestamp: startedAt,
  });
  return [
    `  <testsuite${head}>`,
    '    <properties>',
    ...properties,
    '    </properties>',
    ...stages.map((finding) => testcase(link, finding)),
    `    <system-out>${escapeXml(aside(link))}</system-out>`,
    '  </testsuite>',
  ].join('\n');
}

function pluginSuite(name: string, rows: readonly PluginRow[], startedAt: string): string[] {
  if (rows.length === 0) return [];
  const head = attributes({
    name,
    ...counts(rows),
    time: seconds(Math.max(...rows.map(({ elapsedMs }) => elapsedMs))),
    timestamp: startedAt,
  });
  return [`  <testsuite${head}>`, ...rows.map(pluginCase), '  </testsuite>'];
}

function pluginCase(row: PluginRow): string {
  const { name: classname, title, path, state, status, code, elapsedMs } = row;
  const head = attributes({ classname, name: title, time: seconds(elapsedMs) });
  if (status === 'passed') {
    return `    <testcase${head}><system-out>${escapeXml(state)}</system-out></testcase>`;
  }
  if (code === undefined) {
    return `    <testcase${head}><skipped${attributes({ message: state })}/></testcase>`;
  }
  const text = [state, path, `remedy: ${remedyOf({ code })}`].join('\n');
  const type = attributes({ type: code, message: titleOf(code) });
  const element = isError(code) ? 'error' : 'failure';
  return `    <testcase${head}><${element}${type}>${escapeXml(text)}</${element}></testcase>`;
}

/** Links of the baseline that this run did not check. */
function goneSuite(changes: readonly Change[], startedAt: string): string {
  const head = attributes({
    name: 'since the baseline',
    ...counts(changes.map(() => SKIPPED)),
    time: seconds(0),
    timestamp: startedAt,
  });
  const cases = changes.map((change) => {
    const own = attributes({ classname: change.link ?? '', name: change.what, time: seconds(0) });
    return `    <testcase${own}><skipped${attributes({ message: describeChange(change) })}/></testcase>`;
  });
  return [`  <testsuite${head}>`, ...cases, '  </testsuite>'].join('\n');
}

function testcase(link: LinkResult, finding: Finding): string {
  const { stage, address, elapsedMs } = finding;
  const head = attributes({
    classname: link.name,
    name: address === undefined ? stage : `${stage} ${address}`,
    time: seconds(elapsedMs),
  });
  return `    <testcase${head}>${outcome(link, finding)}</testcase>`;
}

function outcome(link: LinkResult, finding: Finding): string {
  const { status, code = '', evidence } = finding;
  const seen = summary(finding);
  if (status === 'skipped')
    return `<skipped${attributes({ message: String(evidence.reason ?? '') })}/>`;
  if (status !== 'failed') {
    const text = status === 'warned' ? `warning ${advice(link, finding)}` : seen;
    return text === '' ? '' : `<system-out>${escapeXml(text)}</system-out>`;
  }
  const element = isError(code) ? 'error' : 'failure';
  const head = attributes({ type: code, message: titleOf(code) });
  return `<${element}${head}>${escapeXml(advice(link, finding))}</${element}>`;
}

function advice({ causes }: LinkResult, finding: Finding): string {
  const { code = '', cause = '', remedy = '', status } = finding;
  const others = status === 'failed' ? causes.filter((one) => one.code !== code) : [];
  return [
    summary(finding),
    `cause: ${cause}`,
    `remedy: ${remedy}`,
    ...others.map((one) => `also: ${one.code}: ${one.text} (${one.evidence})`),
  ].join('\n');
}

/** What belongs to the link as a whole. */
function aside({ notes, reroutes, ruledOut, changes = [] }: LinkResult): string {
  return [
    ...notes,
    ...reroutes.map(({ from, to }) => `rerouted: ${from} is dialled at ${to}`),
    ...changes.map((change) => `changed: ${describeChange(change)}`),
    ...ruledOut.map(({ text, evidence }) => `ruled out: ${text} (${evidence})`),
  ].join('\n');
}

/** The check could not be made, which is another thing than a link that is broken. */
function isError(code: string): boolean {
  const exit = isCode(code) ? factsOf(code).exit : EXIT.bug;
  return exit === EXIT.preflight || exit >= EXIT.deadline;
}

type Outcome = Pick<Finding, 'status' | 'code'>;

const SKIPPED: Outcome = { status: 'skipped' };

function counts(findings: readonly Outcome[]): Record<string, number> {
  const failed = findings.filter(({ status }) => status === 'failed');
  const errors = failed.filter(({ code = '' }) => isError(code)).length;
  return {
    tests: findings.length,
    failures: failed.length - errors,
    errors,
    skipped: findings.filter(({ status }) => status === 'skipped').length,
  };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(4);
}
