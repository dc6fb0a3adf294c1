import { reasonText } from '../../codes/stated.js';
import { nameSome } from '../../lists/counted.js';
import { groupBy, type NonEmpty } from '../../lists/group-by.js';
import { MANY } from '../model/findings.js';
import type { Evidence, Finding } from '../model/verification.js';
import { STAGE_ROWS } from '../model/verification-names.js';

/** A certificate of a content delivery network has hundreds of names; the data has them all. */
const SHOWN_NAMES = 8;

/** The wording of facts whose name and value alone would read badly. */
const WORDING: Readonly<Record<string, (value: Evidence[string]) => string>> = {
  addresses: (value) => `${value}`,
  server: (value) => (value === 'system' ? 'by the system’s resolver' : `by ${value}`),
  protocol: (value) => `${value}`,
  serverName: (value) => `as ${value}`,
  rsaBits: (value) => `RSA key of ${value} bits`,
  names: (value) => `for ${nameSome(`${value}`.replaceAll('DNS:', '').split(', '), SHOWN_NAMES)}`,
  validTo: (value) => `until ${String(value).slice(0, 10)}`,
  daysLeft: (value) => `${value} d left`,
  httpStatus: (value) => `HTTP ${value}`,
  skewMs: (value) => (value === 0 ? '' : `clock skew ${value} ms`),
  withoutCredential: (value) => `without credential: ${value}`,
  serviceCode: (value) => `${value}`,
  serviceMessage: (value) => `"${value}"`,
  count: (value) => `${value} ${value === 1 ? 'workspace' : 'workspaces'}`,
  validForSeconds: (value) => (Number(value) > 0 ? `valid for ${value} s` : ''),
  retryAfterSeconds: (value) => `retry after ${value} s`,
  retryAfter: (value) => `retry after ${value}`,
  received: (value) => `after ${value} bytes of an answer`,
  range: (value) => `in ${value}`,
  sender: (value) => `sender ${value}`,
  workspaces: (value) => `${value}`,
  node: (value) => `Node.js ${value}`,
  stderr: (value) => `wrote: ${value}`,
  output: (value) => `printed: ${value}`,
  connectedTo: (value) => `connect-to ${value}`,
};

/** Summarizes the observation of a stage in one line. */
export function summary(finding: Finding): string {
  const { stage, status, evidence, logId } = finding;
  if (status === 'skipped') return String(evidence.reason ?? '');
  const facts = wordings(finding, STAGE_ROWS[stage].summary);
  return [reasonText(finding), ...facts, logId && `log id ${logId}`].filter(Boolean).join('  ');
}

/** A list of addresses; of many, their number. */
export function inShort(addresses: Evidence[string] | undefined): string {
  const count = `${addresses}`.split(', ').length;
  return count >= MANY ? `${count} addresses` : `${addresses}`;
}

/** Summarizes why a stage passed. */
export function briefSummary(finding: Finding, withLogId: boolean): string {
  const { stage, evidence, logId } = finding;
  const { addresses } = evidence;
  const short = addresses === undefined ? evidence : { ...evidence, addresses: inShort(addresses) };
  const facts = wordings({ ...finding, evidence: short }, STAGE_ROWS[stage].brief);
  return [...facts, withLogId && logId && `log id ${logId}`].filter(Boolean).join('  ');
}

function wordings({ stage, status, evidence }: Finding, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const value = evidence[name];
    if (value === undefined) return [];
    // A call without a token is answered so by the service itself, and by nothing on the path to it.
    if (stage === 'http' && status === 'passed' && name === 'httpStatus' && value === 401) {
      return evidence.withoutCredential === undefined
        ? ['HTTP 401, as the service answers a call without a token']
        : ['HTTP 401 from the service itself'];
    }
    return [(WORDING[name] ?? ((one) => `${name} ${one}`))(value)];
  });
}

/**
 * Puts together what has the same key, at the place of the first; what has no key stays by itself, and
 * so does each member of a group that is too small.
 *
 * @param leastOf how many a group must be, by its first member
 */
export function gathered<T>(
  items: readonly T[],
  toKey: (item: T) => string | undefined,
  leastOf: (first: T) => number = () => MANY,
): NonEmpty<T>[] {
  const groups = groupBy(items, (item) => toKey(item) ?? item);
  return [...groups.values()].flatMap((group): NonEmpty<T>[] =>
    group.length >= leastOf(group[0]) ? [group] : group.map((item): NonEmpty<T> => [item]),
  );
}

/** The same for all addresses that fare alike at a stage. */
export function fate(finding: Finding): string | undefined {
  const { stage, status, address } = finding;
  return address === undefined ? undefined : JSON.stringify([stage, status, reasonText(finding)]);
}
