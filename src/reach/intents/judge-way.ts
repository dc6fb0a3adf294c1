import type { Intent } from '../../intents/intents-file.js';
import { formatAddress } from '../../net/address.js';
import { askEnforced, type PacketRule, peerName } from '../packet-rule.js';
import { describeRules, judgeAt } from '../questions/answer.js';
import type { DecidingRule } from '../report-schema.js';
import { meet, type OpenRanges } from '../sets/ranges.js';
import { toRange } from '../sets/region.js';
import { type OnePacket, packetText, pickOne, pickService } from '../sets/sample.js';
import { intersect, type Services, subtract } from '../sets/services.js';
import type { Way } from '../ways/door.js';
import type { Asked } from '../ways/pass.js';
import { broken, type Found, HOLDS, undecided } from './answer.js';
import { hasName, type NameSet, type PeerSet } from './peer-set.js';
import type { Ways } from './scope.js';

/** An intent at one way: the peers and services that it is about there. */
export interface Judged {
  readonly expect: Intent['expect'];
  readonly peers: PeerSet;
  readonly services: Services;
}

/** Everything that a way lets through of what an intent is about, part by part. */
export function judgeWay(ways: Ways, judged: Judged): Found[] {
  return [
    ...ways.places.flatMap((place) => judgePlace(place, ways, judged)),
    ...judgeLinks(ways, judged),
    ...ways.elsewhere.flatMap((rule) => judgeStated(rule, ways, judged)),
    ...(ways.isUndecided ? [judgeNothing(ways, judged)] : []),
  ];
}

/** Judges the packets of both families at one place. */
function judgePlace(place: Way, ways: Ways, judged: Judged): Found[] {
  return FAMILIES.flatMap((family) => {
    const packets = packetsOf(judged, family);
    return packets.length === 0 ? [] : [judgePackets(place, ways, { family, packets }, judged)];
  });
}

const FAMILIES = [4, 6] as const;

function packetsOf({ peers, services }: Judged, family: 4 | 6): OpenRanges {
  return peers[family].map((range) => ({ ...range, services }));
}

function judgePackets(place: Way, ways: Ways, asked: Asked, { expect }: Judged): Found {
  const { pass, stop, doubt, why } = judgeAt(place, asked);
  const isClosed = expect === 'closed';
  const wrong = isClosed ? pass : stop;
  if (wrong.length === 0) return doubt.length === 0 ? HOLDS : undecided(...why);
  const one = pickOne(asked.family, wrong);
  const { by } = judgeAt(place, { ...asked, packets: [toRange(one)] });
  const rules = describeRules(by(), one, ways.stack).filter(
    ({ effect }) => (effect === 'accept') === isClosed,
  );
  return broken(toPacket(ways, one), rules);
}

function toPacket({ direction, subject }: Ways, { peer, services }: OnePacket): string {
  const other = formatAddress({ family: peer.family, value: peer.first });
  return direction === 'ingress'
    ? packetText(other, subject, services)
    : packetText(subject, other, services);
}

/** Rules for accounts and endpoints: a name passes where a rule has it. */
function judgeLinks(ways: Ways, { expect, peers, services }: Judged): Found[] {
  if (!ways.hasNames) return [];
  const breaks = (from: string, open: Services, rules: DecidingRule[]) =>
    broken(packetText(from, ways.subject, pickService(open)), rules);
  return (['account', 'endpoint'] as const).flatMap((kind) => {
    const wanted = peers[kind];
    if (!hasName(wanted, '*')) return [];
    const own = ways.links.filter(({ peer }) => peer.kind === kind);
    if (expect === 'reachable') {
      const missing = missingNames(own, wanted, services);
      return [HOLDS, ...missing.map((name) => breaks(`${kind} ${name}`, services, []))];
    }
    const wrong = own.flatMap((rule) => {
      const open = intersect(rule.services, services);
      const isMet = rule.peer.kind === kind && hasName(wanted, rule.peer.name);
      return open.length === 0 || !isMet
        ? []
        : [breaks(peerName(rule.peer), open, [toDecidingRule(rule)])];
    });
    return [HOLDS, ...wrong];
  });
}

/** Names of which no rule lets all services through. */
function missingNames(rules: readonly PacketRule[], wanted: NameSet, services: Services): string[] {
  const names = wanted.isAllBut ? ['any other'] : wanted.names;
  return names.filter((name) => {
    const met = rules.filter(
      ({ peer }) => peer.kind !== 'addresses' && (peer.name === name || peer.name === '*'),
    );
    return met.reduce((left, rule) => subtract(left, rule.services), services).length > 0;
  });
}

function toDecidingRule({ resource = '', reason, stack }: PacketRule): DecidingRule {
  return { resource, file: stack, effect: 'accept', rule: 'lets the name in', reason };
}

/** A rule that something outside the tree enforces says what is meant to be open, and no more. */
function judgeStated(rule: PacketRule, ways: Ways, judged: Judged): Found[] {
  if (rule.peer.kind !== 'addresses') return [];
  const { family } = rule.peer;
  const met = meet(packetsOf(judged, family), [toRange(rule)]);
  if (judged.expect === 'closed' && met.length > 0) {
    return [broken(toPacket(ways, pickOne(family, met)), [toDecidingRule(rule)])];
  }
  return [undecided(askEnforced(rule.enforcedElsewhere ?? ''))];
}

/** Judges a way on which nothing decides: nobody is known to be let in, or to be kept out. */
function judgeNothing(ways: Ways, judged: Judged): Found {
  const family = judged.peers[4].length > 0 ? 4 : 6;
  const all = packetsOf(judged, family);
  if (judged.expect === 'reachable' && all.length > 0) {
    return broken(toPacket(ways, pickOne(family, all)), []);
  }
  return undecided(`What decides who reaches ${ways.subject}? Nothing in the tree does.`);
}
