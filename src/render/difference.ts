import { subtractCidrs } from './cidr-set.js';
import { groupBy, type ParsedOpening, peerCidrs, serviceKey, serviceText } from './model.js';

/**
 * What must change in a file so that it opens what it should, as lines: `+` is missing in it, `-` is
 * too much. Decided by addresses: a network and its two halves are the same.
 */
export function difference(
  inFile: readonly ParsedOpening[],
  expected: readonly ParsedOpening[],
): string[] {
  const [found, wanted] = [groupBy(inFile, serviceKey), groupBy(expected, serviceKey)];
  return [...new Set([...found.keys(), ...wanted.keys()])].flatMap((service) => {
    const [open, needed] = [found.get(service) ?? [], wanted.get(service) ?? []];
    return [
      ...peersOnlyIn(open, needed).map((line) => `- ${line}`),
      ...peersOnlyIn(needed, open).map((line) => `+ ${line}`),
    ];
  });
}

function peersOnlyIn(a: readonly ParsedOpening[], b: readonly ParsedOpening[]): string[] {
  const [service] = a;
  if (service === undefined) return [];
  const inB = new Set(named(b));
  const peers = [
    ...subtractCidrs(peerCidrs(a), peerCidrs(b)).map(({ text }) => text),
    ...named(a).filter((name) => !inB.has(name)),
  ];
  return peers.map((peer) =>
    [service.subject, serviceText(service), peer].filter(Boolean).join(' '),
  );
}

function named(openings: readonly ParsedOpening[]): string[] {
  const names = openings.flatMap(({ peer }) => {
    if (peer.kind === 'cidr') return [];
    return [`${peer.kind} ${peer[peer.kind as keyof typeof peer]}`];
  });
  return [...new Set(names)];
}
