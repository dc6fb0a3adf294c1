import { isIP } from 'node:net';
import { type Reason, reasonOf } from '../../codes/codes.js';
import { isRefused } from '../../codes/stated.js';
import { type Link, recordLines } from '../../link/link.js';
import type { NonEmpty } from '../../lists/group-by.js';
import { unmapped } from '../../net/address.js';
import { firstFailure, isGood, knownEvidence, MANY } from '../model/findings.js';
import type { Evidence, Finding, ProbeName, ProbeResult } from '../model/verification.js';
import { FIRST_BYTES, NOBODYS_NAME } from '../model/verification-names.js';
import { findZone, isInside, withoutMask } from '../transport/addresses.js';
import type { LinkContext } from '../transport/context.js';

/** Everything that is known of a link that failed. */
export interface Facts
  extends Pick<LinkContext, 'link' | 'host' | 'tlsServerName' | 'proxy' | 'isPlain'> {
  readonly run: Pick<LinkContext['run'], 'options' | 'ownAuthority'>;
  readonly seen: Pick<LinkContext['seen'], 'skewMs'> & {
    readonly primaryPath?: { readonly address: string } | undefined;
  };
  readonly findings: readonly Finding[];
  readonly probes: readonly ProbeResult[];
}

/** A cause that is possible, before it is ranked. */
export interface Candidate {
  readonly code: Reason;
  /** Likelihood among the candidates of the same failure; the highest is reported first. */
  readonly weight: number;
  /** True if the evidence decides; otherwise it is only consistent with this cause. */
  readonly isShown?: boolean;
  readonly evidence: Evidence;
}

/** The findings that failed for one reason. */
export type Failures = NonEmpty<Finding>;

/** A rule that finds possible causes of failures. */
export type Rule = (facts: Facts, failures: Failures) => readonly Candidate[];

/** Rules by the reason that a link failed for; what has no rule speaks for itself. */
export type Rules = Readonly<Partial<Record<Reason, Rule>>>;

/** Causes with the same evidence, each with its weight. */
export function weigh(
  evidence: Evidence,
  weights: Readonly<Partial<Record<Reason, number>>>,
): Candidate[] {
  const entries = Object.entries(weights) as [Reason, number][];
  return entries.map(([code, weight]) => ({ code, weight, evidence }));
}

/** A cause that the evidence decides. */
export function shownCause(code: Reason, weight: number, evidence: Evidence): Candidate {
  return { code, weight, isShown: true, evidence };
}

export function findProbes({ probes }: Facts, name: ProbeName): readonly ProbeResult[] {
  return probes.filter((probe) => probe.name === name);
}

/**
 * Finds where a stage was seen to work, and nothing after it to fail, be it at an expected address that the
 * name does not lead to.
 */
function worksSomewhere(facts: Facts, stage: Finding['stage']): Finding[] {
  const carrier = facts.seen.primaryPath?.address;
  const failing = facts.findings
    .filter(({ status }) => status === 'failed')
    .map((one) => one.address ?? (isRefused(one) ? undefined : carrier));
  const resolved = facts.findings.filter(
    ({ stage: own, status, address }) =>
      own === stage && isGood({ status }) && address !== undefined && !failing.includes(address),
  );
  const pinned = findProbes(facts, 'pinned-address')
    .filter(({ ok }) => ok && facts.link.via === 'service-endpoint')
    .map(({ changed, elapsedMs, evidence }) => {
      return { stage, status: 'passed' as const, address: changed, elapsedMs, evidence };
    });
  return [...resolved, ...pinned];
}

/** Reasons for which a JWT is refused. Any other error comes after it, or says nothing of the JWT. */
const REFUSED_JWT =
  /^token\.invalid-client|^(api\.unknown-error|http\.unexpected-answer): token call$/;

/** Finds the outcome of the JWT that was signed again by the server's clock; undefined if none was. */
export function serverTimeOutcome(facts: Facts): 'accepted' | 'refused' | 'undecided' | undefined {
  const [probe] = findProbes(facts, 'server-time');
  if (probe === undefined) return undefined;
  if (probe.ok) return 'accepted';
  return REFUSED_JWT.test(reasonOf(probe) ?? '') ? 'refused' : 'undecided';
}

/** The skew from a call over TLS that is not verified, or from another address of the same name. */
export function measuredSkew(facts: Facts): number | undefined {
  const read = findProbes(facts, 'clock').map(({ evidence }) => evidence.skewMs);
  return read.find((skewMs) => typeof skewMs === 'number') ?? facts.seen.skewMs;
}

/** Tells whether a dial failed: only that shows where the direct way leads. */
export function failedAfterDial({ findings }: Facts): boolean {
  return ['tcp', 'tls', 'http'].includes(firstFailure(findings)?.stage ?? '');
}

/** Those of the named facts that are known, in the order of the names. */
export function pick(evidence: Evidence, ...names: readonly string[]): Evidence {
  return knownEvidence(Object.fromEntries(names.map((name) => [name, evidence[name]])));
}

/** @param name the server name of a probe */
export function wayToSend(name: string): string {
  return name === 'none' ? 'without a name' : `as ${name}`;
}

/** The tries of other names that somebody has, or of none. */
export function findOtherNames(facts: Facts): readonly ProbeResult[] {
  return findProbes(facts, 'server-name').filter(
    ({ changed }) => changed !== NOBODYS_NAME && changed !== facts.tlsServerName,
  );
}

/** The handshakes that were tried again without any change. */
function sameAgain(facts: Facts): readonly ProbeResult[] {
  return findProbes(facts, 'server-name').filter(({ changed }) => changed === facts.tlsServerName);
}

/** Some connections are completed and some are not, though nothing differs between them. */
export function unsteady(facts: Facts, failures: Failures): Candidate[] {
  const again = sameAgain(facts);
  const good = again.filter(({ ok }) => ok).length;
  if (good === 0) return [];
  const evidence = {
    'the first handshake': failures[0].code ?? '',
    'the same again': `${good} of ${again.length} completed`,
  };
  return [shownCause('server.unsteady', 95, evidence)];
}

/** The addresses of findings, in one text. */
export function listAddresses(findings: readonly Finding[]): string {
  return findings.flatMap(({ address }) => address ?? []).join(', ');
}

/** The addresses that failed, in one text; of many that all did, their number. */
export function failedAddresses({ findings }: Facts, failures: Failures): string {
  const [{ stage }] = failures;
  const tried = findings.filter((one) => one.stage === stage && one.address !== undefined);
  const isAll = failures.length >= MANY && failures.length === tried.length;
  return isAll ? `all ${failures.length}` : listAddresses(failures);
}

/**
 * Finds what differs between the addresses that work and those that do not: the family, the zone, or the
 * address alone.
 *
 * @returns nothing where no address works
 */
export function partialFailure(facts: Facts, failures: Failures): readonly Candidate[] {
  const failing = failures.filter(({ address }) => address !== undefined);
  const [{ stage }] = failures;
  const working = worksSomewhere(facts, stage);
  if (failing.length === 0 || working.length === 0) return [];
  const evidence = {
    fails: listAddresses(failing),
    works: listAddresses(working),
    ...pick(failures[0].evidence, 'httpStatus', 'problem', 'location', 'alert', 'names'),
  };
  const { link } = facts;
  if (stage === 'tcp' && areOtherFamily(failing, working)) {
    return [shownCause('path.partial: one IP family', 85, evidence)];
  }
  if (link.via === 'service-endpoint') return ofZone(link, failing, evidence);
  const isRefused = failing.every(({ code }) => code === 'tcp.refused');
  // What refuses was reached, or stands in for it; on the internet nobody allows addresses one by one.
  const isOfAddress = stage !== 'tcp' || (isRefused && link.via === 'internet');
  if (isOfAddress) return [shownCause('path.partial', 85, evidence)];
  return weigh({ ...evidence, ...toAdd(link, failing) }, { 'host.egress': 85 });
}

/** The port answers a handshake, and the base URL says http. */
export function speaksTls(facts: Facts): Candidate[] {
  const hello = findProbes(facts, 'first-bytes').find(
    ({ changed, evidence }) => changed === FIRST_BYTES.hello && evidence.isTls === true,
  );
  if (!facts.isPlain || hello === undefined) return [];
  const evidence = { [hello.changed]: hello.evidence.says ?? '' };
  return [shownCause('tls.not-tls: the port speaks TLS', 88, evidence)];
}

/** A rule for what fails at every address; where some work, what sets them apart says more than what is possible. */
export function unlessPartial(rule: Rule): Rule {
  return (facts, failures) => {
    const partial = partialFailure(facts, failures);
    const own = rule(facts, failures);
    return partial.length > 0 ? [...own.filter(({ isShown }) => isShown), ...partial] : own;
  };
}

/** An address that nobody declared may as well be a leftover in DNS. */
function ofZone(link: Link, failing: readonly Finding[], seen: Evidence): readonly Candidate[] {
  const zones = failing.flatMap(({ address = '' }) => findZone(link, address) ?? []);
  const evidence = { ...seen, ...(zones.length > 0 && { zone: [...new Set(zones)].join(', ') }) };
  if (failing.every(({ address = '' }) => isInside(address, link.expectedAddresses))) {
    return [shownCause('path.partial', 85, evidence)];
  }
  const isOther = failing.every(({ code = '' }) => OF_OTHER_SERVER.includes(code));
  return weigh(evidence, {
    'path.partial': isOther ? 50 : 85,
    'dns.record-wrong: earlier endpoint': 60,
  });
}

/** A certificate that the endpoint's other addresses do not have. */
const OF_OTHER_SERVER: readonly string[] = ['tls.name-mismatch', 'tls.untrusted'];

/** Lists what an allow-list of fixed addresses may lack. */
function toAdd({ via }: Link, failing: readonly Finding[]): Evidence {
  const port = failing[0]?.evidence.port ?? 443;
  return via === 'fixed-ip-egress' ? { add: `${listAddresses(failing)} port ${port}` } : {};
}

function areOtherFamily(failing: readonly Finding[], working: readonly Finding[]): boolean {
  const familyOf = ({ address = '' }: Finding) => isIP(unmapped(address));
  const works = new Set(working.map(familyOf));
  return failing.every((one) => !works.has(familyOf(one)));
}

/**
 * The cause that the check runs outside the private network. It is never proven by this alone; only
 * a private link has an outside, and a machine with an address inside is not there.
 */
export function outsideNetwork(facts: Facts): Candidate[] {
  if (facts.link.via !== 'service-endpoint') return [];
  const [own] = findProbes(facts, 'own-address');
  if (own === undefined) return weigh({}, { 'host.outside-network': 30 });
  if (own.ok) return [];
  const { own: addresses = '', networks = '' } = own.evidence;
  return weigh({ own: addresses, networks }, { 'host.outside-network': 65 });
}

/** Lists the lines that others have to enter if they keep the records; else nothing. */
export function recordsElsewhere({ link, host }: Facts, weight: number): Candidate[] {
  const { recordsElsewhere: keptBy, expectedAddresses } = link;
  if (keptBy === undefined) return [];
  const enter = recordLines(host, expectedAddresses.map(withoutMask)).join('; ');
  return weigh({ keptBy, enter }, { 'dns.record-wrong: managed elsewhere': weight });
}

/** An expected address works when it is dialled without the name. */
export function pinnedWorks(facts: Facts, code: Reason, weight: number): Candidate[] {
  const found = findProbes(facts, 'pinned-address').find(({ ok }) => ok);
  if (found === undefined) return [];
  const [elsewhere = { code, weight, evidence: {} }] = recordsElsewhere(facts, weight);
  const evidence = { ...elsewhere.evidence, address: found.changed, ...found.evidence };
  return [{ ...elsewhere, isShown: true, evidence }];
}
