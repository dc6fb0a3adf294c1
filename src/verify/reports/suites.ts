import { EXIT, factsOf, isCode, reasonOf } from '../../codes/codes.js';
import { reasonOfCause, titleOf } from '../../codes/stated.js';
import type { Case, Suite } from '../../report/document.js';
import type { Finding, LinkResult, Verification } from '../model/verification.js';
import { type PluginRow, pluginRows } from './plugin-rows.js';
import { causeRemedy } from './problems.js';
import { summary } from './stage-facts.js';

/**
 * Makes a test suite for each link and a test case for each stage, by address where there are several; one
 * more suite each for links that must be closed, and for connections and servers of private plugins.
 */
export function verificationSuites(verification: Verification): Suite[] {
  const { links, connections, backends, expectedClosed, startedAt } = verification;
  const ofPlugins = (name: string, rows: readonly PluginRow[]): Suite[] => {
    const ms = Math.max(...rows.map(({ elapsedMs }) => elapsedMs));
    return rows.length === 0
      ? []
      : [{ name, measured: { ms, startedAt }, cases: rows.map(pluginCase) }];
  };
  return [
    ...links.map((link) => linkSuite(link, startedAt)),
    ...ofPlugins('expected to be closed', pluginRows({ expectedClosed })),
    ...ofPlugins('plugin connections', pluginRows({ connections })),
    ...ofPlugins('plugin servers', pluginRows({ backends })),
  ];
}

function linkSuite(link: LinkResult, startedAt: string): Suite {
  const { name, via, baseUrl, verdict, accessDigest, attempts, elapsedMs: ms } = link;
  const { notes, connectTo, ruledOut } = link;
  return {
    ...{ name, measured: { ms, startedAt }, cases: link.stages.map((one) => stageCase(link, one)) },
    properties: { via, baseUrl, verdict, ...(accessDigest !== '' && { accessDigest }), attempts },
    text: [
      ...notes,
      ...connectTo.map(({ from, to }) => `connect-to: ${to} instead of ${from}`),
      ...ruledOut.map(({ text, evidence }) => `ruled out: ${text} (${evidence})`),
    ].join('\n'),
  };
}

function stageCase(link: LinkResult, finding: Finding): Case {
  const { stage, address, status, code = '', evidence, elapsedMs: ms } = finding;
  const name = address === undefined ? stage : `${stage} ${address}`;
  const common = { of: link.name, name, ms };
  if (status === 'failed') {
    const failure = { type: code, message: titleOf({ code, evidence }) };
    return { ...common, outcome: problemOf(code), failure, text: () => advice(link, finding) };
  }
  const text = status === 'warned' ? `warning ${advice(link, finding)}` : summary(finding);
  return { ...common, outcome: status === 'skipped' ? status : 'passed', text: () => text };
}

function pluginCase({ name, title, path, state, status, code, elapsedMs: ms }: PluginRow): Case {
  const common = { of: name, name: title, ms };
  if (code === undefined) {
    return { ...common, outcome: status === 'passed' ? status : 'skipped', text: () => state };
  }
  const failure = { type: code, message: titleOf({ code }) };
  const text = () => [state, path, `remedy: ${causeRemedy({ code })}`].join('\n');
  return { ...common, outcome: problemOf(code), failure, text };
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

/** A check that could not be made is another thing than a link that is broken. */
function problemOf(code: string): 'failure' | 'error' {
  const exit = isCode(code) ? factsOf(code).exit : EXIT.bug;
  const isError = exit === EXIT.preflight || (exit >= EXIT.deadline && exit !== EXIT.doorOpen);
  return isError ? 'error' : 'failure';
}
