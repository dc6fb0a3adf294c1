import { isIP } from 'node:net';
import { type Reason, reasonOf } from '../../codes/codes.js';
import { safeText } from '../../codes/redact.js';
import { reasonOfCause } from '../../codes/stated.js';
import { groupBy } from '../../lists/group-by.js';
import type { Dial, DialExplainer, Explained } from '../../live/explain-dial.js';
import { explainName } from '../../live/explain-name.js';
import { firstFailure, MANY, toCause } from '../../verify/model/findings.js';
import type { VerifiableLink } from '../../verify/model/options.js';
import type { Cause, Finding, LinkResult, Verification } from '../../verify/model/verification.js';
import { findSource, isTunnel } from '../../verify/probes/own-source.js';
import { isInside, isOwnAddress, readPort, withoutMask } from '../../verify/transport/addresses.js';

/** Failures that a rule or a private zone of the cloud can be the cause of: a rule drops, and never answers. */
const ASKED: readonly (Reason | undefined)[] = [
  'tcp.timeout',
  'dns.not-found',
  'address.unexpected: public',
  'address.unexpected: others right',
  'address.unexpected: special',
  'address.unexpected',
];

/** Tells whether a link failed with something that the cloud's configuration can explain. */
export function isAsked({ stages }: LinkResult): boolean {
  return ASKED.includes(reasonOf(firstFailure(stages) ?? {}));
}

/** The addresses by which the network knows this machine, as far as that is known. */
interface Machine {
  readonly addresses: readonly string[];
  /** Given by the user, or in the link's own networks: no NAT lies in between. */
  readonly isKnown: boolean;
  readonly isInside: boolean;
}

const NOWHERE: Machine = { addresses: [], isKnown: false, isInside: false };

/** A cause, or a doubt, before the addresses that share it are joined. */
interface Found {
  /** @default - it is not known whether the configuration is the cause */
  readonly reason?: Reason;
  readonly isShown: boolean;
  /** The way that the sentence is about: `from 10.20.1.9 to`, followed by the address. */
  readonly way?: readonly [from: string, to: string];
  readonly texts: readonly string[];
}

/** Adds to a failed link the rules that are its cause, or that nothing in the configuration is. */
export async function explainLink(
  result: LinkResult,
  link: VerifiableLink,
  cloud: DialExplainer,
  verification: Verification,
): Promise<LinkResult> {
  const failures = result.stages.filter(
    (finding) => finding.status === 'failed' && ASKED.includes(reasonOf(finding)),
  );
  const said = await Promise.all(
    failures.map(async (finding): Promise<readonly Found[]> => {
      const machineAt = (address: string) =>
        findMachine({ ...finding, address }, result, link, verification);
      if (finding.stage !== 'tcp') return sayOfName(failures, link, cloud, machineAt);
      const { address: to = '' } = finding;
      return sayOfDial(to, await machineAt(to), link, cloud);
    }),
  );
  const { causes: found, notes } = tellTogether(said.flat(), link);
  const own = found.map((cause) => withObserved(cause, result));
  const told = own.map(reasonOfCause);
  const others = result.causes.filter((cause) => !told.includes(reasonOfCause(cause)));
  const isShown = ({ certainty }: Cause) => certainty === 'shown';
  // What is shown stays before what is only possible.
  const causes = [...own, ...others].sort((a, b) => Number(isShown(b)) - Number(isShown(a)));
  return { ...result, causes, notes: [...result.notes, ...notes] };
}

/** Keeps what the check had seen for a cause that is still only possible, such as what to allow. */
function withObserved(cause: Cause, { causes }: LinkResult): Cause {
  const reason = reasonOfCause(cause);
  const seen = causes.find((one) => reasonOfCause(one) === reason)?.evidence ?? '';
  const isKept = cause.certainty !== 'shown' && !/^(address=[^=]*)?$/.test(seen);
  return isKept ? { ...cause, evidence: `${cause.evidence}; ${seen}` } : cause;
}

/** Builds a cause for each reason, and notes of what is in doubt, with addresses that fare alike in one sentence. */
function tellTogether(reasons: readonly Found[], link: VerifiableLink) {
  const causes: Cause[] = [];
  let notes: readonly string[] = [];
  for (const [reason, alike] of groupBy(reasons, (one) => one.reason)) {
    const texts = groupBy(
      alike,
      ({ way: [from] = [''], texts: all }) => `${from}${all.join('; ')}`,
    );
    const evidence = [...texts.values()].map((same) => {
      const text = once(same[0].texts.map(safeText));
      const [from] = same[0].way ?? [];
      const to = once(same.flatMap(({ way }) => way?.[1] ?? []));
      const isAll = to.length >= MANY && to.length === link.expectedAddresses.length;
      const where = isAll ? `all ${to.length} addresses` : to.join(', ');
      return [from && `${from} ${where}`, text.join('; ')].filter(Boolean).join(': ');
    });
    const certainty = alike.every((one) => one.isShown) ? 'shown' : 'consistent';
    if (reason === undefined) notes = evidence;
    else causes.push(toCause(link, reason, once(evidence).join('; '), certainty));
  }
  return { causes, notes };
}

function sayOfDial(
  to: string,
  machine: Machine,
  link: VerifiableLink,
  cloud: DialExplainer,
): readonly Found[] {
  if (link.via === 'internet') return [];
  const gone = cloud.goneEndpoint(to);
  if (gone !== undefined) return say('endpoint.missing', true, [gone]);
  const isOutward = link.via === 'fixed-ip-egress';
  // The way out is decided by groups and the destination, whatever the address of this machine.
  const addresses = isOutward ? ['this machine'] : machine.addresses;
  const from = addresses.join(' or ');
  if (from === '') {
    const why = 'the address from which this machine calls is not known (--own-address)';
    return doubt('the cloud was not asked about', to, why);
  }
  const port = readPort(new URL(link.baseUrl));
  const dials = addresses.map((one): Dial => ({ from: one, to, port, via: link.via }));
  const found = dials.flatMap((dial) => cloud.explain(dial) ?? []);
  if (found.length < dials.length) return doubt('nothing that was read of the cloud has', to);
  // The groups of this machine are not known, and one that is seen by another address meets other rules.
  const isCertain = !isOutward && (machine.isKnown || isForAll(dials, cloud));
  const way = [isOutward ? 'for a workload with this group, to' : `from ${from} to`, to] as const;
  const blocker = isOutward ? 'host.egress' : 'endpoint.security-group';
  const reasons = reasonsFor(way, isCertain, found);
  const stops = [
    ...reasons('endpoint.not-accepted', ({ notConnected }) => notConnected, true),
    ...reasons(blocker, ({ blockers }) => blockers),
  ];
  if (stops.length > 0) return stops;
  const undecided = doubtOf(found, from, to, cloud.live.unread);
  return undecided ?? reasons('path.configured-open', ({ openers }) => openers);
}

/** Returns what makes the reason that every dial has, or none. */
function reasonsFor(way: Found['way'], isCertain: boolean, found: readonly Explained[]) {
  return (
    reason: Reason,
    read: (one: Explained) => readonly string[],
    isShown = isCertain,
  ): readonly Found[] =>
    found.every((one) => read(one).length > 0)
      ? [{ reason, isShown, way, texts: found.flatMap(read) }]
      : [];
}

/** Says why the configuration does not decide, or not all of it was read; undefined where it lets all pass. */
function doubtOf(
  found: readonly Explained[],
  from: string,
  to: string,
  unread: readonly string[],
): readonly Found[] | undefined {
  const doubts = once(found.flatMap(({ unclear }) => unclear));
  if (doubts.length > 0 || !found.every(({ isOpen }) => isOpen)) {
    const why = doubts.join('; ') || `it is not the same for all of ${from}`;
    return doubt('the cloud’s configuration does not decide on', to, why);
  }
  if (unread.length === 0) return undefined;
  const start = `as far as it is read, the cloud’s configuration lets ${from} to`;
  return doubt(start, to, `not read or not judged are ${unread.join('; ')}`);
}

/** Tells whether packets are stopped whatever the address that the cloud sees. */
function isForAll(dials: readonly Dial[], cloud: DialExplainer): boolean {
  return dials.every((dial) => {
    const from = isIP(dial.to) === 6 ? '::/0' : '0.0.0.0/0';
    return (cloud.explain({ ...dial, from })?.blockers.length ?? 0) > 0;
  });
}

async function sayOfName(
  failures: readonly Finding[],
  link: VerifiableLink,
  cloud: DialExplainer,
  machineAt: (address: string) => Promise<Machine>,
): Promise<readonly Found[]> {
  const { hostname: host } = new URL(link.baseUrl);
  const expected = withoutMask(link.expectedAddresses[0] ?? '');
  if (link.via !== 'service-endpoint' || expected === '') return [];
  const { addresses: machine, isInside: isNear } = await machineAt(expected);
  const answered = failures.flatMap(({ address }) => address ?? []);
  const zone = explainName(cloud.live, { host, expected, answered, machine });
  if (zone === undefined) {
    const gone = cloud.goneEndpoint(expected);
    if (gone !== undefined) return say('endpoint.missing', true, [gone]);
    const dial = { from: expected, to: expected, port: 443, via: link.via };
    return say('endpoint.not-accepted', true, cloud.explain(dial)?.notConnected ?? []);
  }
  if (zone.isRight) {
    const right = `the zone of ${host} and its records are as Terraform has them`;
    return say('path.configured-open', isNear, [right]);
  }
  const { changes, elsewhere } = zone;
  return say('dns.record-wrong: drift', isNear && changes.length > 0, [...changes, ...elsewhere]);
}

async function findMachine(
  { address = '', evidence }: Finding,
  { vantagePoint }: LinkResult,
  link: VerifiableLink,
  { environment, vantagePoints = [] }: Verification,
): Promise<Machine> {
  const networks = [...link.expectedNetworks, ...(link.zones ?? []).map(({ network }) => network)];
  const seen =
    vantagePoint === undefined
      ? environment
      : vantagePoints.find(({ name }) => name === vantagePoint)?.environment;
  const given = (seen?.ownAddresses ?? []).filter(
    (one) => isOwnAddress(one) && isIP(one) === isIP(address),
  );
  const inside = given.filter((one) => isInside(one, networks));
  if (evidence.proxy !== undefined) return NOWHERE;
  if (inside.length > 0) return { addresses: inside, isKnown: true, isInside: true };
  if (given.length > 0) return { addresses: given, isKnown: true, isInside: false };
  if (vantagePoint !== undefined || evidence.connectedTo !== undefined) return NOWHERE;
  const source = await findSource(address);
  if (source === undefined || isTunnel(source.device)) return NOWHERE;
  const isNear = isInside(source.address, networks);
  return { addresses: [source.address], isKnown: isNear, isInside: isNear };
}

function say(reason: Reason, isShown: boolean, texts: readonly string[]): readonly Found[] {
  return texts.length === 0 ? [] : [{ reason, isShown, texts }];
}

function doubt(start: string, to: string, ...texts: readonly string[]): readonly Found[] {
  return [{ isShown: false, way: [start, to], texts }];
}

function once(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
