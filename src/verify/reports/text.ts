import { factsOf, isCode } from '../../codes/codes.js';
import { exitOf } from '../verdict.js';
import type { Evidence, Finding, LinkResult, Verification } from '../verification.js';

/** What parts of the text stand for, so that a terminal can colour them. */
export type TextStyle = (text: string, as: Finding['status'] | 'strong' | 'weak') => string;

const PLAIN: TextStyle = (text) => text;

/** How the evidence of a stage is told in one line; what is not named here stays in the JSON. */
const SUMMARY: Record<Finding['stage'], readonly string[]> = {
  preflight: ['kid', 'iss', 'aud', 'missing', 'problem', 'error', 'chmod', 'credentials'],
  dns: ['addresses', 'host', 'server', 'error'],
  address: ['expected', 'missing'],
  tcp: ['port', 'reroutedTo', 'error'],
  tls: ['serverName', 'protocol', 'issuer', 'names', 'validTo', 'error'],
  http: ['httpStatus', 'location', 'withoutCredential', 'body', 'skewMs', 'error'],
  token: ['kid', 'httpStatus', 'serviceCode', 'serviceMessage', 'validForSeconds', 'error'],
  workspaces: ['count', 'workspaces', 'httpStatus', 'serviceCode', 'serviceMessage', 'error'],
};

/** The report for people. */
export function textReport(verification: Verification, style: TextStyle = PLAIN): string {
  const { links, settings, accessDigest, skewMs, verdict, elapsedMs } = verification;
  const exit = exitOf(verification);
  const facts = [
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
    ...facts.map(([name = '', value = '']) => style(`${name.padEnd(width)}  ${value}`, 'weak')),
    `${style(verdict, exit === 0 ? 'passed' : 'failed')} in ${milliseconds(elapsedMs)}${exit === 0 ? '' : `, exit ${exit}`}`,
    '',
  ].join('\n');
}

function linkText(link: LinkResult, style: TextStyle): string {
  const { name, via, baseUrl, stages, reroutes, notes, attempts, ruledOut } = link;
  const addresses = new Set(stages.flatMap(({ address }) => address ?? []));
  const times = stages.map(({ elapsedMs }) => milliseconds(elapsedMs));
  const timeWidth = Math.max(...times.map((time) => time.length));
  const lines = stages.map((finding, i) => {
    const { status, stage, address } = finding;
    const time = (times[i] ?? '').padStart(timeWidth);
    const where = addresses.size > 1 && address !== undefined ? `${address}  ` : '';
    return `  ${style(status.padEnd(7), status)}  ${stage.padEnd(10)}  ${time}  ${where}${summary(finding)}`.trimEnd();
  });
  return [
    `${style(name, 'strong')}  ${via}  ${baseUrl}${attempts > 1 ? `  (attempt ${attempts})` : ''}`,
    ...notes.map((note) => `  ${style('note', 'warned')}     ${note}`),
    ...reroutes.map(
      ({ from, to }) => `  ${style('rerouted', 'warned')} ${from} is dialled at ${to}`,
    ),
    ...lines,
    ...stages.filter(({ code }) => code !== undefined).map((finding) => advice(finding, style)),
    ...ruledOut.map(({ text, evidence }) => `\n  it is not ${text} (${evidence})`),
    '',
  ].join('\n');
}

function summary({ stage, status, code, evidence, logId }: Finding): string {
  if (status === 'skipped') return String(evidence.reason ?? '');
  const shown = SUMMARY[stage].filter((name) => evidence[name] !== undefined);
  return [
    code,
    ...shown.map((name) => `${label(name)} ${value(evidence, name)}`),
    logId && `log id ${logId}`,
  ]
    .filter(Boolean)
    .join('  ');
}

function advice({ code = '', cause, remedy, status }: Finding, style: TextStyle): string {
  const title = isCode(code) ? factsOf(code).title : code;
  return [
    '',
    `  ${style(code, status)}: ${title}`,
    `    cause   ${cause}`,
    `    remedy  ${remedy}`,
  ].join('\n');
}

function label(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function value(evidence: Evidence, name: string): string {
  const found = evidence[name];
  return name === 'validTo' ? String(found).slice(0, 10) : String(found);
}

function milliseconds(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}
