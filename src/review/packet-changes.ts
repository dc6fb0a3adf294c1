import { groupBy } from '../lists/group-by.js';
import { isEveryEndpoint, type Packets, peerName } from '../reach/packet-rule.js';
import { withPlainReferences } from '../reach/read/terraform-json.js';
import { RuleLookup } from '../reach/sets/lookup.js';
import type { OpenRange } from '../reach/sets/ranges.js';
import {
  type Cell,
  cellKey,
  type Part,
  packetsId,
  peerOf,
  type Region,
  splitParts,
} from '../reach/sets/region.js';
import { pickOne, pickService } from '../reach/sets/sample.js';
import { type Services, servicesText, subtract } from '../reach/sets/services.js';
import type { Finding, ReviewReport } from './report-schema.js';

/** Packets that one tree lets through and the other does not. */
export type Change = ReviewReport['changes'][number] & {
  /** Exceptions of the access rules that state it; absent where none does. */
  readonly exception?: string;
  /** The packets as a set, with what lets them through or did. */
  readonly at: Pick<Cell, 'carrier' | 'peer'> & {
    readonly range: OpenRange;
    /** Another door of the same way, which stops the packet where the rule lets it through. */
    readonly stoppedBy?: string;
    /** Other places of the same name at which the packet passes in the other tree. */
    readonly passesAt?: readonly string[];
    /** Peers of unknown addresses that the same place lets in, in the other tree: the packet may be of one. */
    readonly passesAs?: readonly string[];
  };
};

/** A set of rules, packet by packet. */
interface Side {
  readonly region: Region;
  readonly rules: readonly Packets[];
}

/** Finds the access rules that state a change; without it a rule states itself. */
type FindStated = (side: 'a' | 'b', part: Part, services: Services) => readonly Packets[];

/** Returns what only one of two sets of rules lets through; `a` is before, `b` is after. */
export function findChanges(
  { a, b }: Readonly<Record<'a' | 'b', Side>>,
  findStated?: FindStated,
): Change[] {
  const lookups = { a: new RuleLookup(a.rules, cellKey), b: new RuleLookup(b.rules, cellKey) };
  const changes: Change[] = [];
  for (const part of splitParts(a.region, b.region)) {
    const opened = subtract(part.pair.b, part.pair.a);
    const closed = subtract(part.pair.a, part.pair.b);
    if (opened.length > 0) changes.push(toChange('widens', part, opened, 'b'));
    if (closed.length > 0) changes.push(toChange('narrows', part, closed, 'a'));
  }
  return changes;

  function toChange(
    effect: Change['effect'],
    part: Part,
    services: Services,
    side: 'a' | 'b',
  ): Change {
    const { key, cell, pair } = part;
    const { stack, via, direction, subject, peer, carrier } = cell;
    const rules = lookups[side].find(key, pair, services);
    const told = direction === 'either' ? listText : servicesText;
    const stated = findStated?.(side, part, services) ?? rules;
    const exception = joined(stated.map((rule) => exceptionText(rule)));
    const range = { first: pair.first, last: pair.last, services };
    const at = { peer, range, ...(carrier !== undefined && { carrier }) };
    return {
      effect,
      stack,
      via,
      direction,
      subject,
      peer: peerName(peerOf(cell, pair)),
      services: direction === 'either' ? 'as those rules say' : servicesText(services),
      was: told(pair.a),
      now: told(pair.b),
      why: joined(stated.map(({ reason = '' }) => reason)),
      through: joined(rules.map(({ resource = '' }) => resource)),
      at,
      ...(peer.kind === 'addresses' && { addresses: String(pair.last - pair.first + 1n) }),
      ...(exception !== '' && { exception }),
    };
  }
}

const IN_LIST = 'in the list';
const NOT_IN_LIST = 'not in the list';

/** Its own rules say what a list is for: it holds a peer, or it does not. */
function listText({ length }: Services): string {
  return length === 0 ? NOT_IN_LIST : IN_LIST;
}

/** Tells whether a row is about the entries of a list. No author of a tree writes the words of this column. */
export function isOfList({ kind, after }: Pick<Finding, 'kind' | 'after'>): boolean {
  return kind === 'access' && [IN_LIST, NOT_IN_LIST].includes(after);
}

/** The same change through several resources is one row that names them all. */
export function mergeCarriers(changes: readonly Change[]): Change[] {
  const shared = new Set(
    [...groupBy(changes, placeOf)].flatMap(([place, [first, ...more]]) =>
      more.some(({ at }) => at.carrier !== first.at.carrier) ? [place] : [],
    ),
  );
  const alike = groupBy(changes, (change) => {
    if (!shared.has(placeOf(change))) return change;
    const { through: _, addresses: __, at: ___, ...rest } = change;
    return JSON.stringify([rest, changeId(change)]);
  });
  return [...alike.values()].map((same) =>
    same.length === 1
      ? same[0]
      : { ...same[0], through: join('; ', ...same.map(({ through }) => through)) },
  );
}

/** The packets of a change, in numbers. */
export function changeId({
  effect,
  via,
  direction,
  subject,
  at: { peer, range },
}: Change): string[] {
  return [String(effect)].concat(packetsId({ via, direction, subject, peer }, range));
}

function placeOf({ stack, via, direction, subject, at: { peer } }: Change): string {
  return cellKey({ stack, via, direction, subject, peer });
}

/** Writes an exception for people: its end, owner and reason; empty if the rule has none. */
export function exceptionText({ exception }: Pick<Packets, 'exception'>): string {
  if (exception === undefined) return '';
  const { expires, owner, reason } = exception;
  return `until ${expires}, ${owner}: ${reason}`;
}

function joined(texts: readonly string[]): string {
  const [only = '', ...more] = texts;
  return more.length === 0 ? only : join('; ', ...new Set(texts));
}

export function accessFinding(change: Change): Finding {
  const { effect, services, why, exception, through, addresses, direction } = change;
  const [peer, subject] = [withPlainReferences(change.peer), withPlainReferences(change.subject)];
  const [who, whom] = direction === 'egress' ? [subject, peer] : [peer, subject];
  const packet = packetText(change);
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
  if (packet !== undefined) finding.packet = `${withPlainReferences(packet)} ${becomes(change)}`;
  if (addresses !== undefined) finding.addresses = addresses;
  if (why !== '') finding.reason = why;
  if (exception !== undefined) finding.exception = exception;
  return finding;
}

/** Says in words that follow a packet how it fares after a change. */
function becomes({ effect, at: { carrier, stoppedBy, passesAt, passesAs = [] } }: Change): string {
  const place = withPlainReferences(carrier ?? '');
  const named = passesAs.length === 0 ? undefined : withPlainReferences(passesAs.join(' or '));
  if (effect === 'widens') {
    if (stoppedBy !== undefined) return `passes here now, and is still dropped by ${stoppedBy}`;
    if (passesAt) return `passed already, now also at ${place}`;
    return named ? `passed only as ${named}, now passes` : 'was dropped, now passes';
  }
  if (stoppedBy !== undefined) {
    return `passed here, was dropped by ${stoppedBy}, and now is here too`;
  }
  if (passesAt) return `still passes, but not at ${place}`;
  return named ? `passed, now passes only as ${named}` : 'passed, now is dropped';
}

/** Returns one packet of a change, of a group any of its hosts; none where nobody is known, or no rule decides. */
export function packetText({ direction, subject, at: { carrier, peer, range } }: Change) {
  // To ask for a connection, or to be accepted, is no packet: what is connected stays so.
  if (peer.kind === 'account' || isEveryEndpoint(peer)) return undefined;
  if (peer.kind === 'unknown' || direction === 'either' || carrier === undefined) return undefined;
  const one =
    peer.kind === 'addresses'
      ? pickOne(peer.family, [range])
      : { peer, services: pickService(range.services) };
  const [, protocol, port] = /^(tcp|udp) (\d+)$/.exec(servicesText(one.services)) ?? [];
  const other = peerName(one.peer);
  const at = (host: string) => `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const [from, to] = direction === 'ingress' ? [other, subject] : [subject, other];
  if (port === undefined) return `${from} → ${to} (${servicesText(pickService(range.services))})`;
  return `${from} → ${at(to)}${protocol === 'udp' ? ' (udp)' : ''}`;
}

/** Words a change of denials: what a firewall no longer denies may pass; what it newly denies is closed. */
export function denialFinding(change: Change): Finding {
  const isLess = change.effect === 'narrows';
  const packet = packetText(change);
  return {
    ...accessFinding(change),
    kind: 'safeguard',
    decision: isLess ? 'needs-approval' : 'narrower',
    before: isLess ? `${change.was}: denied` : 'not denied',
    after: isLess ? 'not denied' : `${change.now}: denied`,
    ...(packet !== undefined && {
      packet: `${withPlainReferences(packet)} ${isLess ? 'was denied, now is not' : 'was not denied, now is'}`,
    }),
    ...(isLess && { consequence: passes(change) }),
  };
}

function passes({ at: { carrier = '' } }: Change): string {
  return carrier.startsWith('Cloud Firewall')
    ? 'the firewall passes whatever no policy denies'
    : 'it is not known whether a group passes what none of its rules decides outward';
}

/** Joins the parts that are there. */
export function join(separator: string, ...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(separator);
}
