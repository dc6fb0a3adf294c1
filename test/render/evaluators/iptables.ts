import { type Evaluator, holds, isPortIn } from './evaluator.js';

/** Runs the script's sets and chains: the first rule that matches decides; the end of a chain is open. */
export const iptables: Evaluator = (text) => {
  const sections = [...text.matchAll(/^(\S+)[^\n]* <<'END'\n([\s\S]*?)^END$/gm)];
  const bodyOf = (command: string) => sections.find(([, name]) => name === command)?.[2] ?? '';
  const sets = runIpset(bodyOf('ipset'));
  return (packet) => {
    const body = bodyOf(packet.peer.family === 4 ? 'iptables-restore' : 'ip6tables-restore');
    for (const line of body.split('\n')) {
      const [, chain = '', rest = ''] = /^-A (\S+) (.*)$/.exec(line) ?? [];
      if (!chain.endsWith(`-${packet.direction}`)) continue;
      const option = (name: string) => new RegExp(`${name} (\\S+)(?: (\\S+))?`).exec(rest);
      const protocol = option('-p')?.[1];
      const [, set, end] = option('--match-set') ?? [];
      const [first, last = first] = (option('--dport')?.[1] ?? '0:65535').split(':').map(Number);
      const icmp = packet.peer.family === 4 ? 'icmp' : 'ipv6-icmp';
      const isMatch =
        (protocol === undefined ||
          protocol === (packet.protocol === 'icmp' ? icmp : packet.protocol)) &&
        (set === undefined ||
          ((end === 'dst') === (packet.direction === 'egress') &&
            (sets.get(set) ?? []).some((network) => holds(network, packet)))) &&
        (!rest.includes('--dport') || isPortIn(first ?? 0, last ?? 0, packet));
      if (isMatch) return option('-j')?.[1] === 'ACCEPT';
    }
    return true;
  };
};

function runIpset(body: string): Map<string, string[]> {
  const sets = new Map<string, string[]>();
  for (const line of body.split('\n')) {
    const [verb, name = '', value = ''] = line.split(' ');
    if (verb === 'create' && !sets.has(name)) sets.set(name, []);
    if (verb === 'flush') sets.set(name, []);
    if (verb === 'add') sets.get(name)?.push(value);
    if (verb === 'destroy') sets.delete(name);
    if (verb === 'swap') {
      const [a, b] = [sets.get(name) ?? [], sets.get(value) ?? []];
      sets.set(name, b).set(value, a);
    }
  }
  return sets;
}
