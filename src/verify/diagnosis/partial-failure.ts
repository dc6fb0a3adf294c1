import { isIP } from 'node:net';
import type { Link } from '../../link/link.js';
import { parseAddress } from '../../net/address.js';
import { cidrContains, parseCidr } from '../../net/cidr.js';
import type { Evidence, Finding } from '../model/verification.js';
import { zoneOf } from '../model/zone-of.js';
import type { Candidate, Facts } from './facts.js';
import { addressesOf, worksSomewhere } from './facts.js';

/**
 * What differs between the addresses that work and those that do not: the family, the zone, or the
 * address alone.
 *
 * @returns nothing where no address works
 */
export function partialFailure(facts: Facts, failures: readonly Finding[]): readonly Candidate[] {
  const failing = failures.filter(({ address }) => address !== undefined);
  const stage = failing[0]?.stage;
  const working = stage === undefined ? [] : worksSomewhere(facts, stage);
  if (working.length === 0) return [];
  const evidence = { fails: addressesOf(failing), works: addressesOf(working) };
  const { link } = facts;
  if (stage === 'tcp' && areOtherFamily(failing, working)) {
    return [{ code: 'route.family', weight: 85, isShown: true, evidence }];
  }
  if (link.via === 'private-network') return ofZone(link, failing, evidence);
  return stage === 'tcp'
    ? [{ code: 'host.egress', weight: 85, evidence: { ...evidence, ...toAdd(link, failing) } }]
    : [{ code: 'path.one-address', weight: 85, isShown: true, evidence }];
}

/** An address that nobody declared may as well be a leftover in DNS. */
function ofZone(link: Link, failing: readonly Finding[], seen: Evidence): readonly Candidate[] {
  const zones = failing.flatMap(({ address = '' }) => zoneOf(link, address) ?? []);
  const evidence = { ...seen, ...(zones.length > 0 && { zone: [...new Set(zones)].join(', ') }) };
  if (failing.every(({ address = '' }) => isDeclared(link, address))) {
    return [{ code: 'endpoint.zone', weight: 85, isShown: true, evidence }];
  }
  return [
    { code: 'endpoint.zone', weight: 85, evidence },
    { code: 'endpoint.stale-record', weight: 60, evidence },
  ];
}

/** What an allow-list of fixed addresses may lack. */
function toAdd({ via }: Link, failing: readonly Finding[]): Evidence {
  const port = failing[0]?.evidence.port ?? 443;
  return via === 'fixed-ip' ? { add: `${addressesOf(failing)} port ${port}` } : {};
}

function isDeclared({ expectedAddresses }: Link, text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = parseAddress(text);
  return expectedAddresses.some((cidr) => cidrContains(parseCidr(cidr), address));
}

function areOtherFamily(failing: readonly Finding[], working: readonly Finding[]): boolean {
  const works = familiesOf(working);
  return [...familiesOf(failing)].every((family) => !works.has(family));
}

function familiesOf(findings: readonly Finding[]): Set<number> {
  return new Set(findings.map(({ address = '' }) => isIP(address)));
}
