import { groupBy } from '../lists/group-by.js';
import { PRIVATE_NETWORKS } from '../net/cidr.js';
import { FIXED_ADDRESSES } from '../net/fixed-addresses.js';
import { isEveryEndpoint, peerName } from '../reach/packet-rule.js';
import { fingerprint, withPlainReferences } from '../reach/read/terraform-json.js';
import { isOfFirewall } from '../reach/rules/reading.js';
import { combine, everythingOf, type OpenRange, type OpenRanges } from '../reach/sets/ranges.js';
import { packetText, pickOne, pickService } from '../reach/sets/sample.js';
import { subtract } from '../reach/sets/services.js';
import { type Change, changeId, join } from './packet-changes.js';
import type { Finding } from './report-schema.js';

/** Makes the row of packets that one tree lets through and the other does not. */
export function accessFinding(change: Change, opens = change.effect === 'widens'): Finding {
  const { effect, services, why, exception, through, addresses, direction } = change;
  const [peer, subject] = [withPlainReferences(change.peer), withPlainReferences(change.subject)];
  const [who, whom] = direction === 'egress' ? [subject, peer] : [peer, subject];
  const packet = onePacket(change);
  const finding: Finding = {
    kind: 'access',
    decision: effect === 'widens' ? 'needs-approval' : 'narrower',
    stack: change.stack,
    resource: through === '' ? 'access.json' : through,
    who,
    what: direction === 'either' ? whom : `${whom}, ${services}`,
    identity: changeId(change),
    before: change.was,
    after: change.now,
  };
  if (packet !== undefined)
    finding.packet = `${withPlainReferences(packet)} ${becomes(change, opens)}`;
  if (change.at.answers !== undefined) {
    const { before, after } = change.at.answers;
    const isOfSome = before.isOfSome ?? after.isOfSome;
    finding.passes = { before: before.answer, after: after.answer, ...(isOfSome && { isOfSome }) };
  }
  if (addresses !== undefined) finding.addresses = addresses;
  if (why !== '') finding.reason = why;
  if (exception !== undefined) finding.exception = exception;
  return finding;
}

const WAS = {
  reachable: 'passed',
  closed: 'was dropped',
  partly: 'passed at some places',
  undecided: 'may have passed',
} as const;

const IS = {
  reachable: 'now passes',
  closed: 'now is dropped',
  partly: 'now passes at some places',
  undecided: 'now may pass',
} as const;

const AS_BEFORE = {
  reachable: 'passed already, and still passes',
  closed: 'was dropped, and still is',
  partly: 'passed at some places, and still does',
  undecided: 'may have passed, and still may',
} as const;

type Answers = NonNullable<Change['at']['answers']>;

/** Says in words that follow a packet how it fares before and after a change. */
function becomes({ at: { carrier = '', answers } }: Change, opens: boolean): string {
  if (answers === undefined) {
    return opens ? 'was dropped, now passes' : 'passed, now is dropped';
  }
  const { before, after } = answers;
  const place = withPlainReferences(carrier);
  if (before.others === 'reachable' && after.others === 'reachable') {
    if (after.answer === 'reachable' && before.answer === 'closed')
      return `passed already, now also at ${place}`;
    if (before.answer === 'reachable' && after.answer === 'closed')
      return `still passes, but not at ${place}`;
  }
  const isSame = before.answer === after.answer;
  const fares =
    isSame && after.answer === 'closed'
      ? staysDropped(opens, opens ? after.stop : before.stop)
      : isSame
        ? AS_BEFORE[after.answer]
        : `${WAS[before.answer]}, ${IS[after.answer]}`;
  const depends = new Set([before.depends, after.depends].flatMap((one) => one ?? []));
  const own = join(' ', fares, depends.size > 0 ? `(${[...depends].join('; ')})` : '');
  return withPlainReferences(join('', own, elsewhere(answers, carrier)));
}

/** A rule alone opens nothing that another door on the same way does not. */
function staysDropped(opens: boolean, stop = 'another door'): string {
  return opens ? `does not pass yet: ${stop} drops it` : `did not pass before: ${stop} dropped it`;
}

/** Says where else of the same name the packet fares otherwise than at the place of a change. */
function elsewhere({ before, after }: Answers, carrier: string): string {
  const hasOthers = before.others !== undefined || after.others !== undefined;
  const [was, now] = [before.others ?? 'closed', after.others ?? 'closed'];
  if (!hasOthers || (was === before.answer && now === after.answer)) return '';
  if (was === 'closed' && now === 'closed') return ` at ${carrier}`;
  const others = was === now ? AS_BEFORE[now] : `${WAS[was]}, ${IS[now]}`;
  return ` at ${carrier}; elsewhere it ${others}`;
}

/** Returns the packets of a change that its carrier sees: a firewall none within the cloud, if there are others. */
export function seenPackets(carrier: string, family: 4 | 6, range: OpenRange): OpenRanges {
  if (!isOfFirewall(carrier)) return [range];
  const seen = combine([range], everythingOf(PRIVATE_NETWORKS, family), subtract);
  return seen.length > 0 ? seen : [range];
}

/** Returns one packet of a change, of a group any of its hosts; none where nobody is known, or no rule decides. */
function onePacket({ direction, subject, at: { carrier, peer, range } }: Change) {
  // To ask for a connection, or to be accepted, is no packet: what is connected stays so.
  if (peer.kind === 'account' || isEveryEndpoint(peer)) return undefined;
  if (peer.kind === 'unknown' || direction === 'either' || carrier === undefined) return undefined;
  const one =
    peer.kind === 'addresses'
      ? pickOne(peer.family, seenPackets(carrier, peer.family, range))
      : { peer, services: pickService(range.services) };
  const other = peerName(one.peer);
  const [from, to] = direction === 'ingress' ? [other, subject] : [subject, other];
  return packetText(from, to, one.services);
}

/** Words a change of denials: what a firewall no longer denies may pass; what it newly denies is closed. */
export function denialFinding(change: Change): Finding {
  const isLess = change.effect === 'narrows';
  const packet = onePacket(change);
  return {
    ...accessFinding(change, isLess),
    kind: 'safeguard',
    decision: isLess ? 'needs-approval' : 'narrower',
    before: isLess ? `${change.was}: denied` : 'not denied',
    after: isLess ? 'not denied' : `${change.now}: denied`,
    ...(packet !== undefined &&
      change.at.answers === undefined && {
        packet: `${withPlainReferences(packet)} ${isLess ? 'was denied, now is not' : 'was not denied, now is'}`,
      }),
    ...(isLess && { consequence: passes(change) }),
  };
}

function passes({ at }: Change): string {
  return isOfFirewall(at.carrier)
    ? 'the firewall passes whatever no policy denies'
    : 'it is not known whether a group passes what none of its rules decides outward';
}

/** The number of rows, differing only in single addresses, from which on they become one. */
const MIN_FOLDED = 5;

/** The limit of addresses in such a row, as all of them are named. */
const MAX_FOLDED = 64;

/** Adjacent addresses are one range of a set. */
const MAX_ADJACENT = 3n;

/** The number of addresses of the shipped list that are named: everybody can look up the others. */
const NAMED = 3;

const SHIPPED: ReadonlySet<string> = new Set(FIXED_ADDRESSES.entries.map(({ address }) => address));

/**
 * Makes a row of each change, and one of a list of single addresses, such as those that a vendor publishes: no
 * network is folded, so that its size is seen, and no address hides among others.
 */
export function accessFindings(changes: readonly Change[]): Finding[] {
  const alike = groupBy(changes, (change) => {
    if (!isFew(change)) return change;
    const { peer: _, addresses: __, at, ...rest } = change;
    return JSON.stringify([rest, at.answers]);
  });
  return [...alike.values()].flatMap((all) =>
    all.length < MIN_FOLDED || all.length > MAX_FOLDED
      ? all.map((one) => accessFinding(one))
      : [folded(all)],
  );
}

/** Tells whether a change is about a few adjacent addresses. */
function isFew({ at: { peer, range } }: Change): boolean {
  return peer.kind === 'addresses' && range.last - range.first < MAX_ADJACENT;
}

function folded(all: readonly [Change, ...Change[]]): Finding {
  const [first] = all;
  // So few addresses are written one by one.
  const addresses = all.flatMap(({ peer }) => peer.split(', '));
  const isShipped = addresses.every((address) => SHIPPED.has(address));
  const peer = isShipped
    ? `${addresses.length} addresses of the list of ${FIXED_ADDRESSES.version}: ${addresses.slice(0, NAMED).join(', ')}, …`
    : addresses.join(', ');
  return {
    ...accessFinding({ ...first, peer, addresses: String(addresses.length) }),
    identity: [first.effect, fingerprint(all.map(changeId))],
  };
}
