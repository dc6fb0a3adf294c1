import type { Code } from '../../codes/codes.js';
import type { Evidence } from '../model/verification.js';
import { differing } from './dns-rules.js';
import {
  type Candidate,
  type Facts,
  findProbes,
  listAddresses,
  type Rule,
  weigh,
} from './facts.js';
import { outsideNetwork, pinnedWorks, recordsElsewhere } from './shared-candidates.js';

/** A private link whose name leads to the internet. */
export const publicAddress: Rule = (facts, failures) => {
  const known = chooseKnown(facts, 'dns.record-missing');
  const evidence = { address: listAddresses(failures) };
  const seen: Candidate = { code: 'address.public', weight: 70, isShown: true, evidence };
  if (known.some(({ isShown }) => isShown)) return [...known, seen];
  const elsewhere = recordsElsewhere(facts, { weight: 65, evidence: {} });
  return [...known, seen, ...elsewhere, ...outsideNetwork(facts)];
};

/** An address that nobody declared. */
export const unexpectedAddress: Rule = (facts, failures) => {
  const evidence = {
    address: listAddresses(failures),
    expected: [...facts.link.expectedAddresses, ...facts.link.expectedNetworks].join(', '),
  };
  const known = chooseKnown(facts, 'endpoint.stale-record');
  if (known.some(({ isShown }) => isShown)) return known;
  const dialled = unreachable(facts);
  const isGone = Object.keys(dialled).length > 0;
  return [
    ...known,
    ...recordsElsewhere(facts, { weight: 65, evidence: {} }),
    { code: 'endpoint.stale-record', weight: 50, evidence },
    { code: 'endpoint.replaced', weight: isGone ? 60 : 45, evidence: { ...evidence, ...dialled } },
  ];
};

/** An address that is in no list of fixed ones. No endpoint has to do with it. */
export const unlistedAddress: Rule = (facts, failures) => {
  const others = differing(facts);
  if (others.some(({ isShown }) => isShown)) return others;
  const evidence = { host: facts.host, address: listAddresses(failures) };
  return [...others, ...weigh(evidence, { 'address.list-outdated': 60, 'address.other-host': 50 })];
};

/** What answers with an address of this machine shows itself where other DNS servers do not. */
export const ownAddress: Rule = (facts) => differing(facts);

/** Where another DNS server has the right addresses, the record is not what is wrong. */
function chooseKnown(facts: Facts, ofRecord: Code): Candidate[] {
  const others = differing(facts);
  return others.some(({ isShown }) => isShown)
    ? others
    : [...others, ...pinnedWorks(facts, ofRecord, 90)];
}

/** How each expected address fails when it is dialled without the name. */
function unreachable(facts: Facts): Evidence {
  const failed = findProbes(facts, 'pinned-address').filter(({ ok }) => !ok);
  return Object.fromEntries(failed.map(({ changed, code }) => [changed, `fails with ${code}`]));
}
