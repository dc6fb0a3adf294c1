import type { Change } from '../../review/packet-changes.js';
import type { Effect } from '../report-schema.js';
import { type StepAccess, withAddresses } from './cloud-access.js';
import { findCuts, type Lane, type WayState } from './lanes.js';

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
  'not-connected': 'it is not connected',
  dropped: 'packets are dropped',
  partly: 'some addresses or clients are cut off',
  unreachable: 'no server is behind it',
};

export function wayReason(state: WayState): string {
  return state === 'open' ? 'open' : REASONS[state];
}

/** `10.0.0.0/8 can reach orders:8443`. */
export function accessText(
  change: Change,
  can: 'can' | 'cannot' | 'can no longer' = 'can',
): string {
  const { direction, peer, subject, services } = change;
  const [from, to] = direction === 'egress' ? [subject, peer] : [peer, subject];
  const [, port] = /^tcp (\d+)$/.exec(services) ?? [];
  return `${from} ${can} reach ${to}${port === undefined ? `, ${services}` : `:${port}`}`;
}

/** `steps 4 to 6`, `step 4`, `step 4 on`. */
export function stepsText(from: number, until: number | undefined): string {
  if (until === undefined) return `from step ${from} on`;
  return until - from <= 1 ? `during step ${from}` : `from step ${from} until step ${until}`;
}

/** Returns what a step does to a link or plugin. */
export function laneEffects(lane: Lane, number: number): Effect[] {
  const cuts = findCuts(lane);
  const begun = cuts.find(({ from }) => from === number);
  const ended = cuts.some(({ until }) => until === number);
  if (ended) return [{ kind: 'up', text: `${lane.name} is open again` }];
  if (begun === undefined) return [];
  const state = lane.states[number] ?? 'open';
  const { until } = begun;
  const text =
    until === undefined
      ? stopText(lane, 'here', state)
      : `${lane.name} down until step ${until} (${wayReason(state)})`;
  return [{ kind: 'down', text }];
}

/**
 * Says what does not come back: `api: old base URL stops at step 6 (its name is gone), new base URL works
 * from step 4`, `api stops at step 6 (its name is gone) and does not come back`, or of a part `api is partly
 * cut off at step 6 and is not restored`.
 */
export function stopText({ name, newBaseUrl, newWorksFrom }: Lane, when: string, state: WayState) {
  if (newBaseUrl === undefined && state === 'partly') {
    return `${name} is partly cut off ${when} and is not restored`;
  }
  const why = wayReason(state);
  if (newBaseUrl === undefined) return `${name} stops ${when} (${why}) and does not come back`;
  const works =
    newWorksFrom === undefined
      ? 'does not work for every client in the end'
      : `works ${newWorksFrom === 0 ? 'from the start' : `from step ${newWorksFrom}`}`;
  return `${name}: old base URL stops ${when} (${why}), new base URL ${works}`;
}

export function isSameHost({ baseUrl = '', newBaseUrl = '' }: Lane): boolean {
  return new URL(newBaseUrl).hostname === new URL(baseUrl).hostname;
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
    return all.filter((change) => !texts.has(accessText(change)));
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
