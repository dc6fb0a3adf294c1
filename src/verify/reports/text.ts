import { factsOf, isCode } from '../../codes/codes.js';
import { exitOf } from '../verdict.js';
import type { Evidence, Finding, LinkResult, Verification } from '../verification.js';

/** What parts of the text stand for, so that a terminal can colour them. */
export type TextStyle = (text: string, as: Finding['status'] | 'strong' | 'weak') => string;

const PLAIN: TextStyle = (text) => text;

/** The evidence that is told in the line of a stage, in order; the rest stays in the JSON. */
const SUMMARY: Record<Finding['stage'], readonly string[]> = {
  preflight: ['kid', 'iss', 'aud', 'missing', 'problem', 'error', 'chmod'],
  dns: ['addresses', 'server', 'error'],
  address: ['expected', 'missing'],
  tcp: ['port', 'reroutedTo', 'error'],
  tls: ['protocol', 'serverName', 'names', 'issuer', 'validTo', 'alert', 'error'],
  http: ['httpStatus', 'location', 'body', 'skewMs', 'withoutCredential', 'error'],
  token: ['httpStatus', 'serviceCode', 'serviceMessage', 'validForSeconds', 'error'],
  workspaces: ['count', 'workspaces', 'httpStatus', 'serviceCode', 'serviceMessage', 'error'],
};

/** How a fact is told where its name and value alone would read badly. */
const WORDING: Readonly<Record<string, (value: Evidence[string]) => string>> = {
  addresses: (value) => `${value}`,
  server: (value) => (value === 'system' ? 'by the system’s resolver' : `by ${value}`),
  protocol: (value) => `${value}`,
  serverName: (value) => `as ${value}`,
  names: (value) => `for ${value}`.replaceAll('DNS:', ''),
  validTo: (value) => `until ${String(value).slice(0, 10)}`,
  httpStatus: (value) => `HTTP ${value}`,
  skewMs: (value) => (value === 0 ? '' : `clock skew ${value} ms`),
  withoutCredential: (value) => `without credential: ${value}`,
  serviceCode: (value) => `${value}`,
  serviceMessage: (value) => `"${value}"`,
  validForSeconds: (value) => `valid for ${value} s`,
  workspaces: (value) => `${value}`,
  reroutedTo: (value) => `dialled at ${value}`,
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
  const told = SUMMARY[stage].flatMap((name) => {
    const value = evidence[name];
    return value === undefined ? [] : [(WORDING[name] ?? ((one) => `${name} ${one}`))(value)];
  });
  return [code, ...told, logId && `log id ${logId}`].filter(Boolean).join('  ');
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

function milliseconds(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}
