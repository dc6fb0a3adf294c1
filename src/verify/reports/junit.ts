import { EXIT, factsOf, isCode, reasonOf } from '../../codes/codes.js';
import { type Explained, reasonOfCause, titleOf } from '../../codes/stated.js';
import { xmlAttributes as attributes, escapeXml } from '../../files/escape.js';
import type { Finding, LinkResult, Verification } from '../model/verification.js';
import { type PluginRow, pluginRows } from './connections.js';
import { causeRemedy, ruledOutText } from './diagnosis-text.js';
import { summary } from './stage-facts.js';

/**
 * A test suite for each link and a test case for each stage, by address where there are several; one
 * more suite each for links that must be closed, and for connections and servers of private plugins.
 */
export function junitReport(verification: Verification): string {
  const { links, connections, backends, expectedClosed, startedAt, elapsedMs } = verification;
  const suite = (name: string, outcomes: readonly Outcome[], ms: number, lines: string[]) =>
    lines.length === 0
      ? []
      : [
          `  <testsuite${attributes({ name, ...counts(outcomes), time: seconds(ms), timestamp: startedAt })}>`,
          ...lines,
          '  </testsuite>',
        ];
  const plugins = (name: string, rows: readonly PluginRow[]) =>
    suite(name, rows, Math.max(...rows.map((row) => row.elapsedMs)), rows.map(pluginCase));
  const outcomes = [...links.flatMap(({ stages }) => stages), ...pluginRows(verification)];
  const { tests, failures, errors } = counts(outcomes);
  // The format has no further attribute for the whole.
  const head = attributes({
    name: 'secure-connectivity verify',
    tests,
    failures,
    errors,
    time: seconds(elapsedMs),
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${head}>`,
    ...links.flatMap((link) => suite(link.name, link.stages, link.elapsedMs, linkLines(link))),
    ...plugins('expected to be closed', pluginRows({ expectedClosed })),
    ...plugins('plugin connections', pluginRows({ connections })),
    ...plugins('plugin servers', pluginRows({ backends })),
    '</testsuites>',
    '',
  ].join('\n');
}

function linkLines(link: LinkResult): string[] {
  const { via, baseUrl, verdict, accessDigest, attempts, stages } = link;
  const properties = Object.entries({ via, baseUrl, verdict, accessDigest, attempts })
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `      <property${attributes({ name: key, value })}/>`);
  return [
    '    <properties>',
    ...properties,
    '    </properties>',
    ...stages.map((finding) => stageCase(link, finding)),
    `    <system-out>${escapeXml(aside(link))}</system-out>`,
  ];
}

function stageCase(link: LinkResult, finding: Finding): string {
  const { stage, address, elapsedMs } = finding;
  const name = address === undefined ? stage : `${stage} ${address}`;
  return testcase(link.name, name, elapsedMs, outcome(link, finding));
}

function pluginCase(row: PluginRow): string {
  const { name, title, path, state, status, code, elapsedMs } = row;
  if (status === 'passed') return testcase(name, title, elapsedMs, systemOut(state));
  if (code === undefined) return testcase(name, title, elapsedMs, skipped(state));
  const text = [state, path, `remedy: ${causeRemedy({ code })}`].join('\n');
  return testcase(name, title, elapsedMs, problem({ code }, text));
}

function testcase(classname: string, name: string, elapsedMs: number, content: string): string {
  const head = attributes({ classname, name, time: seconds(elapsedMs) });
  return `    <testcase${head}>${content}</testcase>`;
}

function systemOut(text: string): string {
  return text === '' ? '' : `<system-out>${escapeXml(text)}</system-out>`;
}

function skipped(message: string): string {
  return `<skipped${attributes({ message })}/>`;
}

function problem(stated: Explained, text: string): string {
  const element = isError(stated.code) ? 'error' : 'failure';
  const head = attributes({ type: stated.code, message: titleOf(stated) });
  return `<${element}${head}>${escapeXml(text)}</${element}>`;
}

function outcome(link: LinkResult, finding: Finding): string {
  const { status, code = '', evidence } = finding;
  if (status === 'skipped') return skipped(String(evidence.reason ?? ''));
  if (status === 'failed') return problem({ code, evidence }, advice(link, finding));
  return systemOut(status === 'warned' ? `warning ${advice(link, finding)}` : summary(finding));
}

function advice({ causes }: LinkResult, finding: Finding): string {
  const { cause = '', remedy = '', status } = finding;
  const own = reasonOf(finding);
  const others = status === 'failed' ? causes.filter((one) => reasonOfCause(one) !== own) : [];
  return [
    summary(finding),
    `cause: ${cause}`,
    `remedy: ${remedy}`,
    ...others.map((one) => `also: ${one.code}: ${one.text} (${one.evidence})`),
  ].join('\n');
}

/** Collects the texts that belong to the link as a whole. */
function aside({ notes, connectTo, ruledOut }: LinkResult): string {
  return [
    ...notes,
    ...connectTo.map(({ from, to }) => `connect-to: ${to} instead of ${from}`),
    ...ruledOut.map((out) => `ruled out: ${ruledOutText(out)}`),
  ].join('\n');
}

/** The check could not be made, which is another thing than a link that is broken. */
function isError(code: string): boolean {
  const exit = isCode(code) ? factsOf(code).exit : EXIT.bug;
  return exit === EXIT.preflight || (exit >= EXIT.deadline && exit !== EXIT.doorOpen);
}

type Outcome = Pick<Finding, 'status' | 'code'>;

function counts(findings: readonly Outcome[]) {
  const failed = findings.filter(({ status }) => status === 'failed');
  const errors = failed.filter(({ code = '' }) => isError(code)).length;
  return {
    tests: findings.length,
    failures: failed.length - errors,
    errors,
    skipped: findings.filter(({ status }) => status === 'skipped').length,
  };
}

/** Readers of the format take three decimals and no more. */
function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
