import type { Intent } from '../../intents/intents-file.js';
import { formatAddress } from '../../net/address.js';
import { askEnforced, type PacketRule, peerName } from '../packet-rule.js';
import { describeRules } from '../questions/answer.js';
import { combine, uniteAll } from '../sets/ranges.js';
import { toRange } from '../sets/region.js';
import { type OnePacket, pickOne, pickService } from '../sets/sample.js';
import { intersect, type Services, servicesText, subtract } from '../sets/services.js';
import { passUnderDoubt } from '../ways/bounds.js';
import type { Door } from '../ways/door.js';
import { broken, type Found, HOLDS, type Packet, undecided } from './answer.js';
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
    ...ways.series.flatMap((doors) => judgeSeries(doors, ways, judged)),
    ...judgeLinks(ways, judged),
    ...ways.elsewhere.flatMap((rule) => judgeStated(rule, ways, judged)),
    ...(ways.isUndecided ? [judgeNothing(ways, judged)] : []),
  ];
}

/** Sends all packets of both families through doors that stand in series. */
function judgeSeries(doors: readonly Door[], ways: Ways, judged: Judged): Found[] {
  const { expect, peers, services } = judged;
  return ([4, 6] as const).flatMap((family) => {
    const packets = peers[family].map((range) => ({ ...range, services }));
    return packets.length === 0 ? [] : [judgePackets(doors, ways, { family, packets }, expect)];
  });
}

type Asked = Parameters<typeof passUnderDoubt>[1];

function judgePackets(
  doors: readonly Door[],
  ways: Ways,
  asked: Asked,
  expect: Intent['expect'],
): Found {
  const { most, least, why } = passUnderDoubt(doors, asked);
  const isClosed = expect === 'closed';
  const wrong = isClosed ? least : combine(asked.packets, most, subtract);
  if (wrong.length > 0) {
    const one = pickOne(asked.family, wrong);
    const packets = [toRange(one)];
    const { by } = passUnderDoubt(doors, { family: asked.family, packets });
    const rules = describeRules(by(), one, ways.stack).filter(
      ({ effect }) => (effect === 'accept') === isClosed,
    );
    return broken(toPacket(ways, one), rules);
  }
  const doubtful = isClosed ? most : combine(asked.packets, least, subtract);
  return doubtful.length === 0 ? HOLDS : undecided(...why);
}

function toPacket({ direction, subject }: Ways, { peer, services }: OnePacket): Packet {
  const other = formatAddress({ family: peer.family, value: peer.first });
  const [from, to] = direction === 'ingress' ? [other, subject] : [subject, other];
  return { from, to, service: servicesText(services) };
}

/** Rules for accounts and endpoints: a name passes where a rule has it. */
function judgeLinks(ways: Ways, { expect, peers, services }: Judged): Found[] {
  if (!ways.hasNames) return [];
  return (['account', 'endpoint'] as const).flatMap((kind) => {
    if (!hasName(peers[kind], '*')) return [];
    const own = ways.links.filter(({ peer }) => peer.kind === kind);
    return [HOLDS, ...judgeNames(kind, own, ways, { expect, peers, services })];
  });
}

function judgeNames(
  kind: 'account' | 'endpoint',
  own: readonly PacketRule[],
  ways: Ways,
  { expect, peers, services }: Judged,
): Found[] {
  return expect === 'closed'
    ? own.flatMap((rule) => judgeOpenLink(ways, rule, peers[kind], services))
    : missingNames(own, peers[kind], services).map((name) =>
        broken(
          {
            from: `${kind} ${name}`,
            to: ways.subject,
            service: servicesText(pickService(services)),
          },
          [],
        ),
      );
}

function judgeOpenLink(ways: Ways, rule: PacketRule, wanted: NameSet, services: Services): Found[] {
  const name = rule.peer.kind === 'addresses' ? '' : rule.peer.name;
  const open = intersect(rule.services, services);
  if (open.length === 0 || !hasName(wanted, name)) return [];
  const service = servicesText(pickService(open));
  return [broken({ from: peerName(rule.peer), to: ways.subject, service }, [toDecidingRule(rule)])];
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

function toDecidingRule({ resource = '', reason, stack }: PacketRule) {
  return { resource, file: stack, effect: 'accept', rule: 'lets the name in', reason } as const;
}

/** A rule that something outside the tree enforces says what is meant to be open, and no more. */
function judgeStated(rule: PacketRule, ways: Ways, { expect, peers, services }: Judged): Found[] {
  if (rule.peer.kind !== 'addresses') return [];
  const { family } = rule.peer;
  const met = combine(peers[family], uniteAll([toRange(rule)]), intersect)
    .map((range) => ({ ...range, services: intersect(range.services, services) }))
    .filter((range) => range.services.length > 0);
  if (expect === 'closed' && met.length > 0) {
    return [broken(toPacket(ways, pickOne(family, met)), [toDecidingRule(rule)])];
  }
  return [undecided(askEnforced(rule.enforcedElsewhere ?? ''))];
}

/** Judges a way on which nothing decides: nobody is known to be let in, or to be kept out. */
function judgeNothing(ways: Ways, { expect, peers, services }: Judged): Found {
  const family = peers[4].length > 0 ? 4 : 6;
  if (expect === 'reachable' && peers[family].length > 0) {
    const all = peers[family].map((range) => ({ ...range, services }));
    return broken(toPacket(ways, pickOne(family, all)), []);
  }
  return undecided(`What decides who reaches ${ways.subject}? Nothing in the tree does.`);
}
