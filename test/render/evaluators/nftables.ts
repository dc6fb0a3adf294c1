import type { Packet } from '../packets.js';
import { type Evaluator, holds, isPortIn } from './evaluator.js';

/** Runs the chains as nft would: the first rule that matches decides; no verdict means open. */
export const nftables: Evaluator = (text) => {
  const sets = new Map<string, string[]>();
  const chains = new Map<string, string[]>();
  const statements = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .matchAll(
      /^(flush|add) (chain|set|element|rule) inet (\S+) (\S+)(?: ([^{]*?))?(?: \{([^}]*)\})?$/gm,
    );
  for (const [, verb, kind, , name = '', rest = '', block = ''] of statements) {
    if (kind === 'chain' && verb === 'flush') chains.set(name, []);
    if (kind === 'set' && verb === 'flush') sets.set(name, []);
    if (kind === 'element') sets.get(name)?.push(...(block.match(/[^\s,]+/g) ?? []));
    if (kind === 'rule') chains.get(name)?.push(rest);
  }
  return (packet) => {
    for (const rule of chains.get(packet.direction) ?? []) {
      const verdict = /(accept|drop)$/.exec(rule)?.[1];
      if (isMatch(rule.replace(/\s*(accept|drop)$/, ''), packet, sets)) return verdict === 'accept';
    }
    return true;
  };
};

function isMatch(conditions: string, packet: Packet, sets: ReadonlyMap<string, string[]>): boolean {
  const words = conditions.split(' ').filter(Boolean);
  while (words.length > 0) {
    const [subject, key, value = ''] = words.splice(0, 3);
    if (!conditionHolds(`${subject} ${key}`, value, packet, sets)) return false;
  }
  return true;
}

function conditionHolds(
  name: string,
  value: string,
  packet: Packet,
  sets: ReadonlyMap<string, string[]>,
): boolean {
  const isOut = packet.direction === 'egress';
  const set = sets.get(value.slice(1)) ?? [];
  const [first = 0, last = first] = value.split('-').map(Number);
  const icmp = packet.peer.family === 4 ? 'icmp' : 'ipv6-icmp';
  switch (name) {
    case 'ip daddr':
    case 'ip saddr':
    case 'ip6 daddr':
    case 'ip6 saddr':
      // The packet's other end is ours, and no set of peers holds it.
      return (
        name.startsWith('ip6') === (packet.peer.family === 6) &&
        name.endsWith('daddr') === isOut &&
        set.some((network) => holds(network, packet))
      );
    case 'tcp dport':
    case 'udp dport':
      return name.startsWith(packet.protocol) && isPortIn(first, last, packet);
    case 'meta l4proto':
      return value === (packet.protocol === 'icmp' ? icmp : packet.protocol);
    default:
      throw new Error(`unknown condition ${name}`);
  }
}
