import { isIP } from 'node:net';
import type { Code } from '../../codes/codes.js';
import { type Link, recordLines } from '../../link/link.js';
import type { Evidence, Finding } from '../model/verification.js';
import { findZone, isInside, withoutMask } from '../transport/addresses.js';
import {
  type Candidate,
  type Facts,
  type Failures,
  findProbes,
  listAddresses,
  type Rule,
  weigh,
  worksSomewhere,
} from './facts.js';

/**
 * What differs between the addresses that work and those that do not: the family, the zone, or the
 * address alone.
 *
 * @returns nothing where no address works
 */
export function partialFailure(facts: Facts, failures: Failures): readonly Candidate[] {
  const failing = failures.filter(({ address }) => address !== undefined);
  const [{ stage }] = failures;
  const working = worksSomewhere(facts, stage);
  if (failing.length === 0 || working.length === 0) return [];
  const evidence = { fails: listAddresses(failing), works: listAddresses(working) };
  const { link } = facts;
  if (stage === 'tcp' && areOtherFamily(failing, working)) {
    return [{ code: 'route.family', weight: 85, isShown: true, evidence }];
  }
  if (link.via === 'private-network') return ofZone(link, failing, evidence);
  return stage === 'tcp'
    ? weigh({ ...evidence, ...toAdd(link, failing) }, { 'host.egress': 85 })
    : [{ code: 'path.one-address', weight: 85, isShown: true, evidence }];
}

/** A rule for what fails at every address; where some work, what sets them apart says more. */
export function unlessPartial(rule: Rule): Rule {
  return (facts, failures) => {
    const partial = partialFailure(facts, failures);
    return partial.length > 0 ? partial : rule(facts, failures);
  };
}

/** An address that nobody declared may as well be a leftover in DNS. */
function ofZone(link: Link, failing: readonly Finding[], seen: Evidence): readonly Candidate[] {
  const zones = failing.flatMap(({ address = '' }) => findZone(link, address) ?? []);
  const evidence = { ...seen, ...(zones.length > 0 && { zone: [...new Set(zones)].join(', ') }) };
  if (failing.every(({ address = '' }) => isInside(address, link.expectedAddresses))) {
    return [{ code: 'endpoint.zone', weight: 85, isShown: true, evidence }];
  }
  return weigh(evidence, { 'endpoint.zone': 85, 'endpoint.stale-record': 60 });
}

/** What an allow-list of fixed addresses may lack. */
function toAdd({ via }: Link, failing: readonly Finding[]): Evidence {
  const port = failing[0]?.evidence.port ?? 443;
  return via === 'fixed-ip' ? { add: `${listAddresses(failing)} port ${port}` } : {};
}

function areOtherFamily(failing: readonly Finding[], working: readonly Finding[]): boolean {
  const works = new Set(working.map(({ address = '' }) => isIP(address)));
  return failing.every(({ address = '' }) => !works.has(isIP(address)));
}

/**
 * That the check runs outside the private network. It is never proven by this alone; only a private
 * link has an outside, and a machine with an address inside is not there.
 */
export function outsideNetwork(facts: Facts): Candidate[] {
  if (facts.link.via !== 'private-network') return [];
  const [own] = findProbes(facts, 'own-address');
  if (own === undefined) return weigh({}, { 'host.outside-network': 30 });
  if (own.ok) return [];
  const { own: addresses = '', networks = '' } = own.evidence;
  return weigh({ own: addresses, networks }, { 'host.outside-network': 65 });
}

/** Where others keep the records, the lines that they have to enter; else nothing. */
export function recordsElsewhere(
  { link, host }: Facts,
  candidate: Omit<Candidate, 'code'>,
): Candidate[] {
  const { recordsElsewhere: keptBy, expectedAddresses } = link;
  if (keptBy === undefined) return [];
  const enter = recordLines(host, expectedAddresses.map(withoutMask)).join('; ');
  const evidence = { keptBy, enter, ...candidate.evidence };
  return [{ ...candidate, code: 'dns.kept-elsewhere', evidence }];
}

/** An expected address works when it is dialled without the name. */
export function pinnedWorks(facts: Facts, code: Code, weight: number): Candidate[] {
  const found = findProbes(facts, 'pinned-address').find(({ ok }) => ok);
  if (found === undefined) return [];
  const evidence = { address: found.changed, ...found.evidence };
  const shown = { weight, isShown: true, evidence };
  const [elsewhere] = recordsElsewhere(facts, shown);
  return [elsewhere ?? { code, ...shown }];
}
