import { intersect, type Span, type Spans, sizeOf } from './spans.js';

/**
 * What one end may speak with the other: protocols and ports laid out on one line, a block of 65,536
 * numbers for each protocol, so that they are a set like addresses are.
 */
export type Services = Spans;

const BLOCK = 65_536;
const PROTOCOLS = ['tcp', 'udp', 'icmp', 'other'] as const;
type Protocol = (typeof PROTOCOLS)[number];

export const EVERYTHING: Services = [{ first: 0, last: BLOCK * 4 - 1 }];

/** Ports of tcp or udp; of icmp, and of `any`, all of it, for they have no ports. */
export function servicesOf(
  protocol: 'tcp' | 'udp' | 'icmp' | 'icmpv6' | 'any',
  ports: { readonly first: number; readonly last: number },
): Services {
  if (protocol === 'any') return EVERYTHING;
  if (protocol === 'icmp') return [blockOf('icmp')];
  if (protocol === 'icmpv6') return [icmpv6()];
  const { first } = blockOf(protocol);
  return [{ first: first + ports.first, last: first + ports.last }];
}

/** For people: `tcp 443, udp 1–99`. */
export function servicesText(services: Services): string {
  if (services.length === 0) return 'closed';
  if (sizeOf(services) === BLOCK * 4) return 'every protocol and port';
  return PROTOCOLS.flatMap((protocol) => {
    const block = blockOf(protocol);
    const own = intersect(services, [block]);
    if (sizeOf(own) === BLOCK) return [hasPorts(protocol) ? `${protocol} all ports` : protocol];
    return own.map(
      ({ first, last }) => `${protocol} ${portText(first - block.first, last - block.first)}`,
    );
  }).join(', ');
}

/** Tcp or udp ports that are open, whichever are more. */
export function mostPorts(services: Services): number {
  const open = (protocol: Protocol) => sizeOf(intersect(services, [blockOf(protocol)]));
  return Math.max(open('tcp'), open('udp'));
}

/** By its number among the protocols that are none of the named ones. */
function icmpv6(): Span {
  const number = blockOf('other').first + 58;
  return { first: number, last: number };
}

function portText(first: number, last: number): string {
  return first === last ? String(first) : `${first}–${last}`;
}

function hasPorts(protocol: Protocol): boolean {
  return protocol === 'tcp' || protocol === 'udp';
}

function blockOf(protocol: Protocol): Span {
  const first = PROTOCOLS.indexOf(protocol) * BLOCK;
  return { first, last: first + BLOCK - 1 };
}
