import { EXIT, factsOf, isCode } from '../../codes/codes.js';
import { xmlAttributes as attributes, escapeXml } from '../../files/xml.js';
import type {
  Change,
  ConnectionResult,
  Finding,
  LinkResult,
  Verification,
} from '../model/verification.js';
import { connectionPath, connectionState } from './connections.js';
import { remedyOf, titleOf } from './diagnosis-text.js';
import { summary, toldChange } from './stage-facts.js';

/**
 * A test suite for each link and a test case for each stage, by address where there are several; one
 * more suite for connections.
 */
export function junitReport(verification: Verification): string {
  const { links, connections = [], changes = [], startedAt, elapsedMs } = verification;
  const suites = [
    ...links.map((link) => suite(link, startedAt)),
    ...(connections.length > 0 ? [connectionSuite(connections, startedAt)] : []),
    ...(changes.length > 0 ? [goneSuite(changes, startedAt)] : []),
  ];
  const outcomes = [
    ...links.flatMap(({ stages }) => stages),
    ...connections.map(outcomeOf),
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

function connectionSuite(connections: readonly ConnectionResult[], startedAt: string): string {
  const head = attributes({
    name: 'plugin connections',
    ...counts(connections.map(outcomeOf)),
    time: seconds(0),
    timestamp: startedAt,
  });
  return [`  <testsuite${head}>`, ...connections.map(connectionCase), '  </testsuite>'].join('\n');
}

function connectionCase(connection: ConnectionResult): string {
  const { name: classname, endpointId, code } = connection;
  const head = attributes({ classname, name: `connection ${endpointId}`, time: seconds(0) });
  const state = connectionState(connection);
  if (code === undefined) {
    return `    <testcase${head}><skipped${attributes({ message: state })}/></testcase>`;
  }
  const text = [state, connectionPath(connection), `remedy: ${remedyOf({ code })}`].join('\n');
  const type = attributes({ type: code, message: titleOf(code) });
  return `    <testcase${head}><failure${type}>${escapeXml(text)}</failure></testcase>`;
}

/** Nobody has seen a connection pass. */
function outcomeOf({ code }: ConnectionResult): Outcome {
  return code === undefined ? SKIPPED : { status: 'failed', code };
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
    return `    <testcase${own}><skipped${attributes({ message: toldChange(change) })}/></testcase>`;
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
    ...changes.map((change) => `changed: ${toldChange(change)}`),
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
