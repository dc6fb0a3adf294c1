import type { Change, Evidence, Finding, Verification } from '../verification.js';

/** The evidence that is told in the line of a stage, in order; the rest stays in the JSON. */
const SUMMARY: Record<Finding['stage'], readonly string[]> = {
  preflight: ['kid', 'iss', 'aud', 'missing', 'problem', 'error', 'chmod'],
  dns: ['addresses', 'server', 'error'],
  address: ['expected', 'missing'],
  tcp: ['port', 'reroutedTo', 'error'],
  tls: ['protocol', 'serverName', 'names', 'issuer', 'validTo', 'daysLeft', 'alert', 'error'],
  http: ['httpStatus', 'location', 'body', 'skewMs', 'withoutCredential', 'error'],
  token: ['httpStatus', 'serviceCode', 'serviceMessage', 'validForSeconds', 'skewMs', 'error'],
  workspaces: ['count', 'workspaces', 'httpStatus', 'serviceCode', 'serviceMessage', 'error'],
  chat: ['types', 'answers', 'polls', 'httpStatus', 'serviceCode', 'serviceMessage', 'error'],
};

/** How a fact is told where its name and value alone would read badly. */
const WORDING: Readonly<Record<string, (value: Evidence[string]) => string>> = {
  addresses: (value) => `${value}`,
  server: (value) => (value === 'system' ? 'by the system’s resolver' : `by ${value}`),
  protocol: (value) => `${value}`,
  serverName: (value) => `as ${value}`,
  names: (value) => `for ${value}`.replaceAll('DNS:', ''),
  validTo: (value) => `until ${String(value).slice(0, 10)}`,
  daysLeft: (value) => `${value} d left`,
  httpStatus: (value) => `HTTP ${value}`,
  skewMs: (value) => (value === 0 ? '' : `clock skew ${value} ms`),
  withoutCredential: (value) => `without credential: ${value}`,
  serviceCode: (value) => `${value}`,
  serviceMessage: (value) => `"${value}"`,
  validForSeconds: (value) => `valid for ${value} s`,
  workspaces: (value) => `${value}`,
  reroutedTo: (value) => `dialled at ${value}`,
};

/** What was seen at a stage, in one line. */
export function summary({ stage, status, code, evidence, logId }: Finding): string {
  if (status === 'skipped') return String(evidence.reason ?? '');
  const told = SUMMARY[stage].flatMap((name) => {
    const value = evidence[name];
    return value === undefined ? [] : [(WORDING[name] ?? ((one) => `${name} ${one}`))(value)];
  });
  return [code, ...told, logId && `log id ${logId}`].filter(Boolean).join('  ');
}

/** What the report was made with; empty where it does not say. */
export function checkedWith({ environment }: Verification): string {
  if (environment === undefined) return '';
  const { tool, node, openssl, platform } = environment;
  return `${tool}, Node.js ${node}, OpenSSL ${openssl}, ${platform}`;
}

/** What is not as in the baseline, in one line. */
export function toldChange({ what, link, address, before, after }: Change): string {
  if (what === 'new') return 'new: the baseline does not have this link';
  if (what === 'gone') return `gone: ${link} (${before}) is in the baseline, and was not checked`;
  const where = address === undefined ? '' : ` of ${address}`;
  return `${what}${where}: ${before || 'none'} → ${after || 'none'}`;
}

export function milliseconds(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}
