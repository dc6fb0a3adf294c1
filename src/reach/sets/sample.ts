import { PRIVATE_NETWORKS } from '../../net/cidr.js';
import type { AddressPeer } from '../packet-rule.js';
import type { OpenRange, OpenRanges } from './ranges.js';
import { intersect, type Services, servicesText, subtract } from './services.js';

/** One packet, with its address on the other side. */
export interface OnePacket {
  readonly peer: AddressPeer;
  readonly services: Services;
}

/** One packet of a set: to a well-known port, and with the address of a host rather than of a network. */
export function pickOne(family: 4 | 6, open: OpenRanges): OnePacket {
  const { first, last, services } = firstPrivate(family, open) ?? open[0] ?? EMPTY;
  const value = first < last && first % 256n === 0n ? first + 1n : first;
  const peer = { kind: 'addresses', family, first: value, last: value } as const;
  return { peer, services: pickService(services) };
}

function firstPrivate(family: 4 | 6, open: OpenRanges): OpenRange | undefined {
  for (const network of PRIVATE_NETWORKS) {
    const found = open.find(({ first, last }) => first <= network.last && network.first <= last);
    if (network.family !== family || found === undefined) continue;
    const first = found.first > network.first ? found.first : network.first;
    const last = found.last < network.last ? found.last : network.last;
    return { first, last, services: found.services };
  }
  return undefined;
}

const EMPTY: OpenRange = { first: 0n, last: 0n, services: [] };

export function pickService(services: Services): Services {
  const wanted = intersect(services, [{ first: 443, last: 443 }]);
  const usable = subtract(services, [{ first: 0, last: 0 }]);
  const [first] = wanted.length > 0 ? wanted : usable.length > 0 ? usable : services;
  return first === undefined ? [] : [{ first: first.first, last: first.first }];
}

/** Writes one packet in a line: `10.9.0.1 → agent-service:443`, `10.9.0.1 → agent-service:53 (udp)`. */
export function packetText(from: string, to: string, service: Services): string {
  const said = servicesText(service);
  const [, protocol, port] = /^(tcp|udp) (\d+)$/.exec(said) ?? [];
  if (port === undefined) return `${from} → ${to} (${said})`;
  const host = to.includes(':') ? `[${to}]` : to;
  return `${from} → ${host}:${port}${protocol === 'udp' ? ' (udp)' : ''}`;
}
