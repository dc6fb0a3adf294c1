import { counted } from '../../lists/counted.js';
import { groupBy } from '../../lists/group-by.js';
import { isEveryEndpoint } from '../../reach/packet-rule.js';
import type { Change } from '../../review/packet-changes.js';
import type { Effect } from '../report-schema.js';
import { clientsText, type WayState } from '../ways/clients.js';
import { THROUGH, THROUGH_FIREWALL, withAddresses } from '../ways/places.js';
import type { StepAccess } from './account.js';
import { type Cut, laneCuts, stepsText } from './cuts.js';
import type { Lane } from './lanes.js';

/** The words for resources of the cloud. */
const NOUNS: Readonly<Record<string, string>> = {
  'Volcengine::VPC::VPC': 'VPC',
  'Volcengine::VPC::Subnet': 'subnet',
  'Volcengine::VPC::SecurityGroup': 'security group',
  'Volcengine::VPC::PrefixList': 'prefix list',
  'Volcengine::PrivateLink::VpcEndpoint': 'endpoint',
  'Volcengine::PrivateLink::EndpointService': 'endpoint service',
  'Volcengine::PrivateLink::VpcEndpointConnection': 'connection',
  'Volcengine::PrivateZone::PrivateZone': 'private zone',
  'Volcengine::PrivateZone::Record': 'DNS record',
  'Volcengine::CLB::CLB': 'load balancer',
  'Volcengine::CLB::Listener': 'listener',
  'Volcengine::CLB::ServerGroup': 'server group',
  'Volcengine::CLB::ACL': 'access list',
  'Volcengine::FWCenter::AddressBook': 'address book',
  'Volcengine::FWCenter::ControlPolicy': 'firewall policy',
};

export function typeNoun(typeName: string): string {
  return NOUNS[typeName] ?? typeName.replace('Volcengine::', '');
}

/** Explains why a way is not open. */
const REASONS: Readonly<Record<Exclude<WayState, 'open'>, string>> = {
  'no-name': 'its name is gone',
  'no-route': 'nothing is at its address',
  public: 'its name leads to a public address',
  'not-connected': 'it is not connected',
  dropped: 'packets are dropped',
  partly: 'some of its addresses do not answer',
  'no-listener': 'nothing listens at its port',
  refused: 'the access list of its listener refuses calls',
  unreachable: 'no server behind it gets calls',
};

function reasonOf({ state }: Cut): string {
  return state === 'open' ? 'open' : REASONS[state];
}

/** ` for clients in 10.30.0.0/17`; empty where all are cut off. */
function forWhom({ clients }: Cut): string {
  return clients.length === 0 ? '' : ` for clients in ${clientsText(clients)}`;
}

/** `10.0.0.0/8 can reach orders:8443`. */
export function accessText(
  change: Change,
  can: 'can' | 'cannot' | 'can no longer' = 'can',
): string {
  const { direction, peer, subject, services, via } = change;
  const through = via.startsWith(THROUGH) ? ` ${via}` : '';
  // The connections that are accepted, stay.
  if (change.at.peer.kind === 'account')
    return `${peer} ${can} ask for a connection to ${subject}${through}`;
  if (isEveryEndpoint(change.at.peer)) {
    return `endpoints of allowed accounts ${can} connect to ${subject}${through} without being accepted`;
  }
  if (change.at.peer.kind === 'endpoint') return `${peer} ${can} connect to ${subject}${through}`;
  const [from, to] = direction === 'egress' ? [subject, peer] : [peer, subject];
  const [, port] = /^tcp (\d+)$/.exec(services) ?? [];
  return `${from} ${can} reach ${to}${port === undefined ? `, ${services}` : `:${port}`}${through}`;
}

/** The limit of peers that a sentence names. */
const MAX_PEERS = 24;

/** Joins changes of one subject that differ in their peers alone, or in the own addresses behind a firewall. */
export function joinPeers(changes: readonly Change[]): Change[] {
  const alike = groupBy(joinFirewalls(changes), ({ effect, direction, subject, services, via }) =>
    JSON.stringify([effect, direction, subject, services, via.startsWith(THROUGH) && via]),
  );
  return [...alike.values()].map((same) => {
    const peers = [...new Set(same.map(({ peer }) => peer))];
    const more = peers.length - MAX_PEERS;
    const named = peers.slice(0, MAX_PEERS).join(', ');
    return { ...same[0], peer: more > 0 ? `${named} and ${counted(more, 'more range')}` : named };
  });
}

function joinFirewalls(changes: readonly Change[]): Change[] {
  const at = `${THROUGH_FIREWALL} at `;
  const alike = groupBy(changes, ({ effect, direction, subject, services, peer, via }) =>
    JSON.stringify([effect, direction, subject, services, peer, via.startsWith(at) || via]),
  );
  return [...alike.values()].map((same) => {
    const addresses = new Set(same.map(({ via }) => via.slice(at.length)));
    const [first] = same;
    return first.via.startsWith(at)
      ? { ...first, via: `${at}${[...addresses].join(', ')}` }
      : first;
  });
}

/** Returns what a step does to a link or plugin. */
export function laneEffects(lane: Lane, number: number): Effect[] {
  return laneCuts(lane).flatMap((cut): Effect[] => {
    const whom = forWhom(cut);
    if (cut.until === number) return [{ kind: 'up', text: `${lane.name} is open again${whom}` }];
    if (cut.from !== number) return [];
    const text =
      cut.until === undefined
        ? stopText(lane, cut, 'here')
        : `${lane.name} ${cut.state === 'partly' ? 'partly cut off' : 'down'}${whom} until step ${cut.until} (${reasonOf(cut)})`;
    return [{ kind: 'down', text }];
  });
}

/** `api is down for clients in 10.30.0.0/17 during step 2 (packets are dropped)`. */
export function cutText(lane: Lane, cut: Cut): string {
  const { from, until } = cut;
  if (until === undefined) return stopText(lane, cut, `at step ${from}`);
  const cached = lane.cached?.find((one) => one.renamed === until && one.from <= until);
  const longer =
    cached === undefined
      ? ''
      : `, and up to ${cached.ttlSeconds} s longer where resolvers keep ${cached.address}`;
  const is = cut.state === 'partly' ? 'is partly cut off' : 'is down';
  return `${lane.name} ${is}${forWhom(cut)} ${stepsText(from, until)} (${reasonOf(cut)})${longer}`;
}

/**
 * Says what does not come back: `api: old base URL stops at step 6 (its name is gone), new base URL works
 * from step 4`, or `api is partly cut off at step 6 for clients in 10.30.0.0/17 (packets are
 * dropped) and is not restored`.
 */
function stopText(lane: Lane, cut: Cut, when: string): string {
  const { name, newBaseUrl, newWorksFrom, recordsElsewhere } = lane;
  const isPart = cut.state === 'partly' || cut.clients.length > 0;
  const stops = `${isPart ? 'is partly cut off' : 'stops'} ${when}${forWhom(cut)} (${reasonOf(cut)})`;
  const isOfName = cut.state === 'no-name' || cut.state === 'public';
  if (newBaseUrl === undefined && isOfName && recordsElsewhere !== undefined) {
    return `${name} ${stops} until its records are entered by ${recordsElsewhere}`;
  }
  if (newBaseUrl === undefined) {
    return `${name} ${stops} and ${isPart ? 'is not restored' : 'does not come back'}`;
  }
  const works =
    newWorksFrom === undefined
      ? 'does not work for every client in the end'
      : `works ${newWorksFrom === 0 ? 'from the start' : `from step ${newWorksFrom}`}`;
  return `${name}: old base URL ${stops}, new base URL ${works}`;
}

/** Returns what a step opens and closes. @param i counted from 0 */
export function accessEffects(
  access: readonly StepAccess[],
  i: number,
  addresses: ReadonlyMap<string, string>,
): Effect[] {
  const [before, at] = [access[i - 1], access[i]];
  const added = (all: readonly Change[] = [], known: readonly Change[] = []) => {
    const texts = new Set(known.map((change) => accessText(change)));
    return joinPeers(all.filter((change) => !texts.has(accessText(change))));
  };
  const text = (change: Change, can?: Parameters<typeof accessText>[1]) =>
    withAddresses(accessText(change, can), addresses);
  const transient = added(at?.transient, before?.transient);
  const interrupted = added(at?.interrupted, before?.interrupted);
  const plain = added(at?.changed, [...transient, ...interrupted]);
  return [
    ...transient.map((change) => ({
      kind: 'transient-opening' as const,
      text: `${text(change)} (neither before nor after)`,
    })),
    ...interrupted.map((change) => ({
      kind: 'interruption' as const,
      text: `${text(change, 'cannot')}, although it could before and can after`,
    })),
    ...plain.map((change) =>
      change.effect === 'widens'
        ? { kind: 'opens' as const, text: text(change) }
        : { kind: 'closes' as const, text: text(change, 'can no longer') },
    ),
  ];
}
