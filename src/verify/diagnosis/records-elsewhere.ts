import { recordLines } from '../../link/link.js';
import type { Candidate, Facts } from './facts.js';

/** Where others keep the records, the lines that they have to enter; else nothing. */
export function recordsElsewhere(
  { link, host }: Facts,
  candidate: Omit<Candidate, 'code'>,
): Candidate[] {
  const { recordsElsewhere: keptBy, expectedAddresses } = link;
  if (keptBy === undefined) return [];
  const addresses = expectedAddresses.map((cidr) => cidr.split('/')[0] ?? cidr);
  const enter = recordLines(host, addresses).join('; ');
  return [
    {
      ...candidate,
      code: 'dns.kept-elsewhere',
      evidence: { keptBy, enter, ...candidate.evidence },
    },
  ];
}
