import { privatezonePrivateZone, privatezoneRecord } from '../../cloud/table/privatezone.js';
import { isInZone } from '../../net/host-name.js';
import { type CloudState, listResources } from '../cloud/cloud-state.js';
import { activeFaults } from '../faults/index.js';
import { type JsonObject, readObjects, readText } from '../json.js';
import { type Lookup, startDnsServer } from '../listeners/dns-server.js';
import type { StopStack } from '../listeners/listen.js';
import { fixedAddressesOf, PUBLIC_STAND_IN } from '../surroundings.js';
import { findLastAddress, workloadVpcs } from './places.js';
import { type Endpoint, findEndpoints, type World } from './world.js';

/** A DNS server: the one that this machine uses, or another one. */
type Resolver = 'own' | 'other';

/** Longer than any check waits for a name. */
const SLOW_MS = 12_000;
const MAX_ALIASES = 8;
const NOT_FOUND: Lookup = { outcome: 'not-found', addresses: [] };

/**
 * Looks a name up as a workload of the VPC sees it: in the VPC's private zones, then the domains of
 * endpoints that exist and are connected, or of one of their zones, then in public DNS, which has the
 * service's fixed-IP host, its API host and every name below that.
 * The other DNS server sees the same, but for what is wrong with the first one or its zones alone.
 */
export function lookUp(world: World, name: string, asked: Resolver = 'own'): Lookup {
  const { faults } = world;
  if (faults.has('dns-missing')) return NOT_FOUND;
  const found = find(world, asked, name.toLowerCase(), []);
  if (asked === 'other') return found;
  if (faults.has('dns-silent')) return { outcome: 'silent', addresses: [] };
  if (faults.has('dns-server-failed')) return { outcome: 'server-failed', addresses: [] };
  if (faults.has('dns-wrong-server') || faults.has('dns-shadowed')) return NOT_FOUND;
  return faults.has('dns-slow') ? { ...found, delayMs: SLOW_MS } : found;
}

function find(world: World, asked: Resolver, name: string, aliases: readonly string[]): Lookup {
  const found = (addresses: readonly string[]): Lookup => ({
    outcome: 'found',
    addresses,
    ...(aliases.length > 0 && { aliases }),
  });
  // Others enter records in DNS of their own.
  const elsewhere = world.service.records?.get(name);
  const records = askPrivateZones(world, name) ?? elsewhere?.map((Value) => ({ Type: 'A', Value }));
  if (records?.length === 0 || aliases.length > MAX_ALIASES) return NOT_FOUND;
  const alias = records?.find(({ Type }) => Type === 'CNAME');
  if (alias) {
    const target = readText(alias, 'Value').replace(/\.$/, '');
    return find(world, asked, target.toLowerCase(), [...aliases, target]);
  }
  const endpoints = findEndpoints(world);
  if (records) {
    const own = records.filter(({ Type }) => Type === 'A');
    const addresses = own.map((each) => readText(each, 'Value'));
    const isMeant = ({ zones }: Endpoint) => zones.some((zone) => addresses.includes(zone.address));
    const endpoint = endpoints.find(isMeant);
    return found(endpoint ? applyAddressFaults(world, asked, endpoint, addresses) : addresses);
  }
  for (const endpoint of endpoints.filter(({ connected }) => connected)) {
    const { domain, zones } = endpoint;
    const called = zones.filter((zone) => name === domain || name === zone.domain);
    const addresses = called.map(({ address }) => address);
    if (addresses.length > 0) return found(applyAddressFaults(world, asked, endpoint, addresses));
  }
  const { apiHosts, fixedIpHosts } = world.service;
  if (fixedIpHosts.includes(name)) return found(serviceAddresses(world));
  return apiHosts.some((host) => isInZone(name, host)) ? found([PUBLIC_STAND_IN]) : NOT_FOUND;
}

function serviceAddresses({ faults, service }: World): readonly string[] {
  const own = fixedAddressesOf(service);
  return faults.has('address-not-listed') ? [...own.slice(1), PUBLIC_STAND_IN] : own;
}

function applyAddressFaults(
  world: World,
  asked: Resolver,
  endpoint: Endpoint,
  addresses: readonly string[],
): readonly string[] {
  const { faults } = world;
  const isPublic = faults.has(asked === 'own' ? 'dns-split-horizon' : 'dns-shadowed');
  if (isPublic) return [PUBLIC_STAND_IN];
  const row = activeFaults(faults).find((fault) => fault.addresses !== undefined);
  if (row?.addresses !== undefined) return row.addresses;
  if (!faults.has('address-unexpected')) return addresses;
  // The cloud keeps the addresses after the last usable one for itself, so no endpoint ever has it.
  const spare = findLastAddress(world.cloud, endpoint.vpcId, 1n);
  return spare === undefined ? addresses : [spare];
}

/**
 * Starts the DNS server that the sandbox's machine uses, and another one to compare it with; each
 * answers out of the world as it is at that moment.
 */
export async function startNameServers(world: () => World, parts: StopStack) {
  let asked = 0;
  const answer = (name: string, type: string) => {
    const isFlipping = type === 'A' && world().faults.has('dns-flipping');
    if (isFlipping) asked += 1;
    return isFlipping && asked % 2 === 0 ? NOT_FOUND : lookUp(world(), name);
  };
  return {
    own: parts.keep(await startDnsServer(answer)),
    other: parts.keep(await startDnsServer((name) => lookUp(world(), name, 'other'))),
    /** Starts one that answers clients of some VPCs. */
    startFor: (clientVpcs: readonly string[]) =>
      startDnsServer((name) => lookUp({ ...world(), clientVpcs }, name)),
  };
}

/**
 * Asks the private zones of the clients' VPCs. A zone hides everything public below its name, unless
 * it is recursive: then only the names that it has.
 *
 * @param name in lower case
 * @returns the records of the name; undefined where no zone answers for it
 */
function askPrivateZones(world: World, name: string): JsonObject[] | undefined {
  const { cloud, service, clientVpcs: vpcIds = workloadVpcs(world) } = world;
  const isBound = (zone: JsonObject) =>
    service.boundZones?.includes(readText(zone, 'ZID')) === true ||
    readObjects(zone, 'Vpcs').some((vpc) => vpcIds.includes(readText(vpc, 'VpcId')));
  // Of two zones with one name, the documentation does not say which counts: the one that has the record.
  const hasName = (zone: JsonObject) => Number(recordsAt(cloud, zone, name).length > 0);
  const [zone] = listResources(cloud, privatezonePrivateZone)
    .filter((each) => isBound(each) && isInZone(name, zoneName(each)))
    .sort((a, b) => zoneName(b).length - zoneName(a).length || hasName(b) - hasName(a));
  if (!zone) return undefined;
  const records = recordsAt(cloud, zone, name);
  return records.length === 0 && zone.RecursionMode === true ? undefined : records;
}

function zoneName(zone: JsonObject): string {
  return readText(zone, 'ZoneName').toLowerCase();
}

function recordsAt(cloud: CloudState, zone: JsonObject, name: string): JsonObject[] {
  const own = listResources(cloud, privatezoneRecord).filter(
    ({ ZID, Enable }) => String(ZID) === zone.ZID && Enable === true,
  );
  const host = name === zoneName(zone) ? '@' : name.slice(0, -zoneName(zone).length - 1);
  const at = (wanted: string) =>
    own.filter((record) => readText(record, 'Host').toLowerCase() === wanted);
  const exact = at(host);
  return exact.length > 0 || host === '@' ? exact : at('*');
}
