import { privatelinkVpcEndpoint } from '../../cloud/table/privatelink.js';
import { privatezonePrivateZone } from '../../cloud/table/privatezone.js';
import { vpcVpc } from '../../cloud/table/vpc.js';
import { parseAddress } from '../../net/address.js';
import { isPrivateAddress } from '../../net/cidr.js';
import { differingZones, resolveName, zoneNames } from '../../reach/ways/resolve-name.js';
import { type CloudState, listResources } from '../../sandbox/cloud/cloud-state.js';
import { readObjects, readText } from '../../sandbox/json.js';
import { workloadVpcs } from '../../sandbox/network/places.js';
import { PUBLIC_STAND_IN, type ServiceNames } from '../../sandbox/surroundings.js';
import type { NamedLinks } from './link-way.js';
import { askingFrom, type SeenState, toWorld } from './link-way.js';
import { type MovedWay, movedWay, type PrivateWay, privateWay } from './private-way.js';

/** A name that clients of a VPC find otherwise than at first. */
interface VpcName {
  readonly name: string;
  readonly vpc: string;
  /** The way that its new private address gives them; absent where it has no private address any more, or none. */
  readonly way?: PrivateWay;
  /** The way to private addresses that are not those of before, or that lead nowhere now. */
  readonly moved?: MovedWay;
  /** True if there is no such name any more. */
  readonly isGone?: boolean;
  /** Private zones of one name that answer differently from now on, and those that have the name. */
  readonly zones?: DifferingZones | undefined;
}

type DifferingZones = NonNullable<ReturnType<typeof differingZones>>;

/** The domain that an endpoint has in one zone alone. */
interface ZoneDomain {
  readonly name: string;
  readonly zone: string;
  readonly endpoint: string;
}

export type UsedName = VpcName | ZoneDomain;

/** Returns what a name is told apart by: each VPC finds it, or not, by itself. */
export function nameKey(used: UsedName): string {
  if ('zone' in used) return `${used.zone} ${used.name}`;
  return JSON.stringify([used.vpc, used.name, used.isGone, used.way?.key, used.moved, used.zones]);
}

/** The sources of the names that clients may use. */
interface Named {
  readonly links: NamedLinks;
  readonly service: ServiceNames;
  /** Identifiers of VPCs whose networks no tree states. */
  readonly standIns?: readonly string[] | undefined;
}

/**
 * The names that clients may use at first and find otherwise after each state: names of private zones and
 * hosts of links, VPC by VPC, and the domains of single zones of endpoints that stay: where an endpoint
 * goes, its link says so.
 */
export function changedNames(states: readonly SeenState[], named: Named): UsedName[][] {
  const [first] = states;
  if (first === undefined) return [];
  const [used, domains] = [usedNames(states, first, named), zoneDomains(first.cloud)];
  return states.map((now) => {
    const found = new Set(zoneDomains(now.cloud).map(nameKey));
    const endpoints = listResources(now.cloud, privatelinkVpcEndpoint).map(endpointId);
    return [
      ...used.flatMap((one) => compareName(one, [first, now], named)),
      ...domains.filter((one) => !found.has(nameKey(one)) && endpoints.includes(one.endpoint)),
    ];
  });
}

interface FirstName extends Pick<VpcName, 'name' | 'vpc' | 'zones'> {
  readonly addresses: readonly string[];
}

/** Begins the name that stands for every name below a zone which the zone does not have itself. */
export const ANY = '*.';

/**
 * The names that VPCs resolve at first, of all that zones have at any time; the domains of endpoints are not of
 * a VPC.
 */
function usedNames(
  states: readonly SeenState[],
  first: SeenState,
  { links, service }: Named,
): FirstName[] {
  const zones = listResources(first.cloud, privatezonePrivateZone);
  const bound = zones.flatMap((zone) => readObjects(zone, 'Vpcs'));
  const own = listResources(first.cloud, vpcVpc);
  const vpcs = new Set([...own, ...bound].map((one) => readText(one, 'VpcId')));
  const all = [...links.before.values(), ...links.after.values()].flatMap((one) => one.links);
  const { elsewhere } = askingFrom([], service);
  const hosts = all
    .flatMap(({ baseUrl, apiHost }) => [new URL(baseUrl).hostname, apiHost])
    .filter((host) => elsewhere(host) !== undefined);
  const inZones = states.flatMap(({ cloud, reached }) => [
    ...zoneNames(reached.index),
    ...listResources(cloud, privatezonePrivateZone).map(
      (zone) => `${ANY}${readText(zone, 'ZoneName').toLowerCase()}`,
    ),
  ]);
  const names = [...new Set([...inZones, ...hosts])];
  return [...vpcs].flatMap((vpc) =>
    names.flatMap((name) => {
      const { addresses, zones } = find(name, vpc, first, service);
      if (addresses.length === 0) return [];
      return [{ name, vpc, zones, addresses }];
    }),
  );
}

function compareName(
  first: FirstName,
  [before, now]: readonly [SeenState, SeenState],
  named: Named,
): VpcName[] {
  const { name, vpc } = first;
  const { addresses, zones } = find(name, vpc, now, named.service);
  const isMoved = zones !== undefined && `${zones.having}` !== `${first.zones?.having}`;
  if (isMoved) return [{ name, vpc, zones }];
  const isPrivateNow = arePrivate(addresses);
  if (arePrivate(first.addresses)) {
    if (!isPrivateNow) return [{ name, vpc }];
    const moved = movedWay([before, now], vpc, [first.addresses, addresses]);
    return moved === undefined ? [] : [{ name, vpc, moved }];
  }
  if (addresses.length === 0) return [{ name, vpc, isGone: true }];
  if (!isPrivateNow) return [];
  const isStandIn = named.standIns?.includes(vpc) === true;
  const way = privateWay(now, vpc, addresses, isStandIn);
  return way === undefined ? [] : [{ name, vpc, way }];
}

/** The zones that exist already are bound where the clients are: nobody says where else. */
function find(name: string, vpc: string, { cloud, reached }: SeenState, service: ServiceNames) {
  const isClient = workloadVpcs(toWorld(cloud, service)).includes(vpc);
  const asking = askingFrom([vpc], service);
  const own = {
    ...asking,
    ...(!isClient && { boundZones: [] }),
    // Which names there are below a zone nobody says.
    ...(name.startsWith(ANY) && { elsewhere: () => [PUBLIC_STAND_IN] }),
  };
  return {
    addresses: resolveName(reached.index, name, own),
    zones: differingZones(reached.index, name, own),
  };
}

function arePrivate(addresses: readonly string[]): boolean {
  return addresses.some((address) => isPrivateAddress(parseAddress(address)));
}

function endpointId(one: Parameters<typeof readText>[0]): string {
  return readText(one, 'EndpointId');
}

function zoneDomains(cloud: CloudState): ZoneDomain[] {
  return listResources(cloud, privatelinkVpcEndpoint).flatMap((endpoint) =>
    readObjects(endpoint, 'Zones').map((zone) => ({
      name: readText(zone, 'ZoneDomain'),
      zone: readText(zone, 'ZoneId'),
      endpoint: endpointId(endpoint),
    })),
  );
}
