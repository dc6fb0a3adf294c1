import { factsOf, isCode } from '../../codes/codes.js';
import { exitOf } from '../verdict.js';
import type { ConnectionResult, LinkResult, Verification } from '../verification.js';
import { connectionPath, connectionState } from './connections.js';
import { changeText, diagnosisText } from './diagnosis-text.js';
import { stageLines } from './stage-lines.js';
import type { TextStyle } from './text-style.js';
import { checkedWith, milliseconds } from './told.js';

export type { TextStyle } from './text-style.js';

const PLAIN: TextStyle = (text) => text;

/** The report for people. */
export function textReport(verification: Verification, style: TextStyle = PLAIN): string {
  const { links, settings, accessDigest, skewMs, verdict, elapsedMs } = verification;
  const { changes = [] } = verification;
  const exit = exitOf(verification);
  const facts = [
    ['checked with', checkedWith(verification)],
    ['access digest', accessDigest],
    ['clock skew', skewMs === undefined ? '' : `${skewMs} ms`],
    ...settings.map(({ name, source, value }) => [
      name,
      value === undefined ? `from ${source}` : `${value} (${source})`,
    ]),
  ].filter(([, value]) => value !== '');
  const width = Math.max(0, ...facts.map(([name = '']) => name.length));
  return [
    ...links.map((link) => linkText(link, style)),
    ...(verification.connections ?? []).map((connection) => connectionText(connection, style)),
    ...(changes.length > 0 ? [...changes.map((change) => changeText(change, style)), ''] : []),
    ...facts.map(([name = '', value = '']) => style(`${name.padEnd(width)}  ${value}`, 'weak')),
    `${style(verdict, exit === 0 ? 'passed' : 'failed')} in ${milliseconds(elapsedMs)}${exit === 0 ? '' : `, exit ${exit}`}`,
    '',
  ].join('\n');
}

function linkText(link: LinkResult, style: TextStyle): string {
  const { name, via, baseUrl, stages, reroutes, notes } = link;
  return [
    `${style(name, 'strong')}  ${via}  ${baseUrl}${attemptText(link)}`,
    ...notes.map((note) => `  ${style('note', 'warned')}     ${note}`),
    ...reroutes.map(
      ({ from, to }) => `  ${style('rerouted', 'warned')} ${from} is dialled at ${to}`,
    ),
    ...stageLines(stages, style),
    ...diagnosisText(link, style),
    '',
  ].join('\n');
}

function connectionText(connection: ConnectionResult, style: TextStyle): string {
  const { name, code } = connection;
  return [
    `${style(name, 'strong')}  private-plugin  ${connectionPath(connection)}`,
    `  ${style('told', code === undefined ? 'warned' : 'failed')}     ${connectionState(connection)}`,
    ...(code !== undefined && isCode(code)
      ? [`  ${code}: ${factsOf(code).title}`, `    remedy  ${factsOf(code).remedy}`]
      : []),
    '',
  ].join('\n');
}

function attemptText({ attempts, passes }: LinkResult): string {
  const facts = [
    attempts > 1 && `attempt ${attempts}`,
    passes !== undefined && `passes in a row: ${passes}`,
  ].filter(Boolean);
  return facts.length === 0 ? '' : `  (${facts.join(', ')})`;
}
