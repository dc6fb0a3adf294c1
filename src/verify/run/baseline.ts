import type { Link } from '../../link/link.js';
import { isGood } from '../model/findings.js';
import type {
  Change,
  ChangeKind,
  Finding,
  LinkResult,
  Verification,
} from '../model/verification.js';
import { findZone } from '../transport/addresses.js';

/**
 * Finds the differences from an earlier report: verdict, addresses, certificate, issuer, zones and
 * class of latency. A link that is not in the earlier report is new.
 */
export function changesSince(
  baseline: Verification,
  now: LinkResult,
  link: Pick<Link, 'zones'>,
): Change[] {
  const before = byKey(baseline).get(linkKey(now));
  if (before === undefined) return [{ what: 'new', before: '', after: now.baseUrl }];
  const facts = (what: ChangeKind, read: (result: LinkResult) => readonly unknown[]) =>
    changed(what, listed(read(before)), listed(read(now)));
  return [
    ...facts('verdict', ({ verdict }) => [verdict]),
    ...facts('addresses', addresses),
    ...facts('certificate', (result) => tlsFacts(result, 'fingerprint256')),
    ...facts('issuer', (result) => tlsFacts(result, 'issuer')),
    ...facts('zone', (result) => zones(result, link)),
    ...latencyChanges(before, now),
  ];
}

/** Compares two observations; a value that one of them lacks has not changed. */
function changed(what: ChangeKind, before: string, after: string): Change[] {
  return before === '' || after === '' || before === after ? [] : [{ what, before, after }];
}

function listed(found: readonly unknown[]): string {
  return [...new Set(found.map(String))].sort().join(', ');
}

function addresses({ stages }: LinkResult): string[] {
  return stages.flatMap(({ stage, address }) => (stage === 'address' ? (address ?? []) : []));
}

function tlsFacts({ stages }: LinkResult, name: 'fingerprint256' | 'issuer'): unknown[] {
  return stages.flatMap(({ stage, evidence }) => (stage === 'tls' ? (evidence[name] ?? []) : []));
}

/** The zones of the addresses that could be dialled. */
function zones({ stages }: LinkResult, link: Pick<Link, 'zones'>): unknown[] {
  return dialled(stages).flatMap(
    ({ address = '', evidence }) => evidence.zone ?? findZone(link, address) ?? [],
  );
}

function latencyChanges(before: LinkResult, now: LinkResult): Change[] {
  return dialled(now.stages).flatMap(({ address, elapsedMs }): Change[] => {
    const earlier = dialled(before.stages).find((one) => one.address === address);
    if (address === undefined || earlier === undefined) return [];
    // At the edge of a class a small difference changes it.
    const ratio = (elapsedMs + 1) / (earlier.elapsedMs + 1);
    if (ratio < 2 && ratio > 0.5) return [];
    const [was, is] = [latencyClass(earlier.elapsedMs), latencyClass(elapsedMs)];
    return was === is ? [] : [{ what: 'latency', address, before: was, after: is }];
  });
}

function dialled(stages: readonly Finding[]): Finding[] {
  return stages.filter((finding) => finding.stage === 'tcp' && isGood(finding));
}

/** Upper ends in milliseconds: same zone, same region, same country, same continent, far. */
const ENDS_MS = [2, 10, 50, 150, 500] as const;

/** The class of the time that a connection took to open. */
export function latencyClass(elapsedMs: number): string {
  const end = ENDS_MS.find((end) => elapsedMs < end);
  return end === undefined ? `${ENDS_MS.at(-1)} ms or more` : `under ${end} ms`;
}

/**
 * The links of an earlier report that were not checked now.
 *
 * @param checked all links of this run
 */
export function goneSince(baseline: Verification, checked: Iterable<Named>): Change[] {
  const keys = new Set([...checked].map(linkKey));
  return [...byKey(baseline)]
    .filter(([key]) => !keys.has(key))
    .map(([, { name, baseUrl }]) => ({ what: 'gone', link: name, before: baseUrl, after: '' }));
}

type Named = Pick<LinkResult, 'name' | 'baseUrl'>;

/** Links by name and base URL; made once for each report, which may have thousands of links. */
const indexes = new WeakMap<Verification, ReadonlyMap<string, LinkResult>>();

export function linkKey({ name, baseUrl }: Named): string {
  return JSON.stringify([name, baseUrl]);
}

/** Indexes an earlier report by link; of several results for one link the last counts. */
function byKey(baseline: Verification): ReadonlyMap<string, LinkResult> {
  const known = indexes.get(baseline);
  if (known !== undefined) return known;
  const made = new Map(baseline.links.map((link) => [linkKey(link), link]));
  indexes.set(baseline, made);
  return made;
}
