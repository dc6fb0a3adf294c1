/** Whole numbers from first to last, both included. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/**
 * Services between two ends: protocols and ports laid out on one line, a block of 65,536
 * numbers for each protocol. The spans are in order, with a gap between each two, so that equal sets
 * are equal data.
 */
export type Services = readonly Span[];

const BLOCK = 65_536;
const [TCP, UDP, ICMP, OTHER] = [blockAt(0), blockAt(1), blockAt(2), blockAt(3)];
const PROTOCOLS = { tcp: TCP, udp: UDP, icmp: ICMP, other: OTHER };

export const EVERYTHING: Services = [{ first: 0, last: OTHER.last }];

const ALL_PORTS: Span = { first: 0, last: BLOCK - 1 };

/** Ports of tcp or udp as they are written; undefined where they are none. */
export function readPorts(
  protocol: 'tcp' | 'udp',
  first: number | undefined,
  last: number | undefined,
): Services | undefined {
  const isPort = (port: number | undefined): port is number =>
    Number.isInteger(port) && port !== undefined && port >= 0 && port < BLOCK;
  if (!isPort(first) || !isPort(last) || last < first) return undefined;
  return toServices(protocol, { first, last });
}

/** Ports of tcp or udp, all by default; of icmp, and of `any`, all of it, for they have no ports. */
export function toServices(
  protocol: 'tcp' | 'udp' | 'icmp' | 'icmpv6' | 'any',
  ports: Span = ALL_PORTS,
): Services {
  if (protocol === 'any') return EVERYTHING;
  if (protocol === 'icmp') return [ICMP];
  // By its number among the protocols that are none of the named ones.
  if (protocol === 'icmpv6') return [{ first: OTHER.first + 58, last: OTHER.first + 58 }];
  const { first } = PROTOCOLS[protocol];
  return [{ first: first + ports.first, last: first + ports.last }];
}

/** Writes services for people: `tcp 443, udp 1–99`, or what is left out of all where that is shorter. */
export function servicesText(services: Services): string {
  if (services.length === 0) return 'closed';
  if (isEverything(services)) return 'every protocol and port';
  const [own, others] = [listServices(services), listServices(subtract(EVERYTHING, services))];
  return others.length + 1 < own.length ? `everything but ${others.join(', ')}` : own.join(', ');
}

function listServices(services: Services): string[] {
  return Object.entries(PROTOCOLS).flatMap(([protocol, block]) => {
    const own = intersect(services, [block]);
    const hasPorts = block === TCP || block === UDP;
    if (countServices(own) === BLOCK) return [hasPorts ? `${protocol} all ports` : protocol];
    return own.map(
      ({ first, last }) => `${protocol} ${portText(first - block.first, last - block.first)}`,
    );
  });
}

export function isEverything(services: Services): boolean {
  return countServices(services) === BLOCK * 4;
}

/** Tcp or udp ports that are open, whichever are more. */
export function mostPorts(services: Services): number {
  return Math.max(...[TCP, UDP].map((block) => countServices(intersect(services, [block]))));
}

function portText(first: number, last: number): string {
  return first === last ? String(first) : `${first}–${last}`;
}

function blockAt(place: number): Span {
  return { first: place * BLOCK, last: (place + 1) * BLOCK - 1 };
}

/** One of the two where it is all of it: the same sets stay the same objects, which is fast to see. */
export function union(a: Services, b: Services): Services {
  if (a.length === 0 || a === b) return b;
  return b.length === 0 ? a : joinSpans([...a, ...b].sort((one, other) => one.first - other.first));
}

/** The set of spans that are in order, though they may overlap or touch. */
export function joinSpans(ordered: readonly Span[]): Services {
  const joined: Span[] = [];
  for (const span of ordered) {
    const before = joined.at(-1);
    if (before === undefined || span.first > before.last + 1) joined.push(span);
    else if (span.last > before.last) {
      joined[joined.length - 1] = { first: before.first, last: span.last };
    }
  }
  return joined;
}

/** Subtracts spans; both are in order, so each is looked at once, and what is left whole stays the same object. */
export function subtract(a: Services, b: Services): Services {
  if (b.length === 0) return a;
  const left: Span[] = [];
  let at = 0;
  for (const span of a) {
    let first = span.first;
    while ((b[at]?.last ?? first) < first) at += 1;
    for (let i = at; first <= span.last; i += 1) {
      const hole = b[i];
      if (hole === undefined || hole.first > span.last) {
        left.push(first === span.first ? span : { first, last: span.last });
        break;
      }
      if (hole.first > first) left.push({ first, last: hole.first - 1 });
      if (hole.last + 1 > first) first = hole.last + 1;
    }
  }
  return isWhole(left, a) ? a : left;
}

function isWhole(part: Services, of: Services): boolean {
  return part.length === of.length && part.every((span, i) => span === of[i]);
}

export function intersect(a: Services, b: Services): Services {
  const both: Span[] = [];
  for (let [i, j] = [0, 0]; i < a.length && j < b.length; ) {
    const [one, other] = [a[i], b[j]];
    if (one === undefined || other === undefined) break;
    const [first, last] = [Math.max(one.first, other.first), Math.min(one.last, other.last)];
    if (first <= last) both.push(first === one.first && last === one.last ? one : { first, last });
    if (one.last < other.last) i += 1;
    else j += 1;
  }
  return isWhole(both, a) ? a : both;
}

/** Tells whether the sets share a number. */
export function overlaps(a: Services, b: Services): boolean {
  return a === b ? a.length > 0 : intersect(a, b).length > 0;
}

export function sameSpans(a: Services, b: Services): boolean {
  if (a === b) return true;
  return (
    a.length === b.length &&
    a.every(({ first, last }, i) => first === b[i]?.first && last === b[i]?.last)
  );
}

/** Counts the numbers of the set. */
export function countServices(spans: Services): number {
  return spans.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}
