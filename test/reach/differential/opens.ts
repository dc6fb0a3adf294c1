import { evaluate, type Json, obj } from './evaluator.js';
import { addressesAround, type Packet, portsAround } from './packets.js';

/** The numbers of addresses of what changed, of all else, and of ports that are tried. */
const LIMITS = { changed: 24, others: 12, ports: 14 };

/** One example of what the second configuration lets through and the first does not, or nothing. */
export function newlyOpen(base: Json, head: Json, limits = LIMITS): string | undefined {
  const text = JSON.stringify([base.resource, head.resource]);
  const changed = JSON.stringify(changedBodies(base, head));
  const peers = [
    ...spread(addressesAround(changed), limits.changed),
    ...spread(addressesAround(text), limits.others),
  ];
  const own = {
    'own addresses to try': spread(addressesAround(ownSides(base) + ownSides(head)), 6),
  };
  const [a, b] = [evaluate({ ...base, ...own }), evaluate({ ...head, ...own })];
  const name = [...b.names].find((one) => !a.names.has(one));
  if (name !== undefined) return name;
  const packets = samples(text, peers, limits.ports);
  for (const door of new Set([...a.doors.keys(), ...b.doors.keys()])) {
    const [was, now] = [a.doors.get(door), b.doors.get(door)];
    for (const packet of packets) {
      const before = was?.(packet) ?? 'closed';
      const after = now?.(packet) ?? 'closed';
      const opens =
        (after === 'open' && before !== 'open') || (before === 'denied' && after !== 'denied');
      if (opens) return `${door}: ${packet.peer} ${packet.protocol} ${packet.port}`;
    }
  }
  return undefined;
}

function samples(text: string, addresses: readonly string[], most: number): Packet[] {
  const groups = [
    ...new Set(
      [...text.matchAll(/volcenginecc_vpc_security_group\.[\w-]+|"sg-[\w-]+"/g)].map(
        ([one]) => `group:${one.replaceAll('"', '')}`,
      ),
    ),
  ];
  const ports = spread(portsAround(text), most);
  const services = [
    ...['tcp', 'udp'].flatMap((protocol) => ports.map((port) => ({ protocol, port }))),
    ...['icmp', 'icmpv6', 'gre'].map((protocol) => ({ protocol, port: 0 })),
  ];
  return [...addresses, ...groups].flatMap((peer) =>
    services.map((service) => ({ peer, ...service })),
  );
}

/** The resources that differ, as they were and as they are. */
function changedBodies(base: Json, head: Json): unknown[] {
  const types = new Set([...Object.keys(obj(base.resource)), ...Object.keys(obj(head.resource))]);
  return [...types].flatMap((type) => {
    const [a, b] = [obj(obj(base.resource)[type]), obj(obj(head.resource)[type])];
    return [...new Set([...Object.keys(a), ...Object.keys(b)])]
      .filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]))
      .flatMap((name) => [a[name], b[name]]);
  });
}

/** The place where a firewall could name the enterprise's own addresses. */
function ownSides({ resource }: Json): string {
  const {
    volcenginecc_fwcenter_control_policy: policies,
    volcenginecc_fwcenter_address_book: books,
  } = obj(resource);
  return JSON.stringify([policies, books].map((one) => one ?? {}));
}

/** So many of all, evenly. */
function spread<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, all.length / most);
  return Array.from(
    { length: Math.min(most, all.length) },
    (_, i) => all[Math.floor(i * step)],
  ).filter((one) => one !== undefined);
}
