import { type Cidr, parseCidr } from '../net/cidr.js';
import { subtractCidrs } from './cidr-set.js';
import { type ParsedOpening, serviceKey, serviceText } from './model.js';

/**
 * What must change in a file so that it opens what it should, as lines: `+` is missing in it, `-` is
 * too much. Decided by addresses: a network and its two halves are the same.
 */
export function difference(
  inFile: readonly ParsedOpening[],
  expected: readonly ParsedOpening[],
): string[] {
  const groups = new Map<string, { found: ParsedOpening[]; wanted: ParsedOpening[] }>();
  const findGroup = (opening: ParsedOpening) => {
    const key = serviceKey(opening);
    const group = groups.get(key) ?? { found: [], wanted: [] };
    groups.set(key, group);
    return group;
  };
  for (const opening of inFile) findGroup(opening).found.push(opening);
  for (const opening of expected) findGroup(opening).wanted.push(opening);
  return [...groups.values()].flatMap(({ found, wanted }) => [
    ...peersOnlyIn(found, wanted).map((line) => `- ${line}`),
    ...peersOnlyIn(wanted, found).map((line) => `+ ${line}`),
  ]);
}

function peersOnlyIn(a: readonly ParsedOpening[], b: readonly ParsedOpening[]): string[] {
  const [service] = a;
  if (service === undefined) return [];
  const inB = new Set(named(b));
  const peers = [
    ...subtractCidrs(cidrs(a), cidrs(b)).map(({ text }) => text),
    ...named(a).filter((name) => !inB.has(name)),
  ];
  return peers.map((peer) =>
    [service.subject, serviceText(service), peer].filter(Boolean).join(' '),
  );
}

function cidrs(openings: readonly ParsedOpening[]): Cidr[] {
  return openings.flatMap(({ peer }) => (peer.kind === 'cidr' ? [parseCidr(peer.cidr)] : []));
}

function named(openings: readonly ParsedOpening[]): string[] {
  const names = openings.flatMap(({ peer }) => {
    if (peer.kind === 'cidr') return [];
    return [`${peer.kind} ${peer[peer.kind as keyof typeof peer]}`];
  });
  return [...new Set(names)];
}
