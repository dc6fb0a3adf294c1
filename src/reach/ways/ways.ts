import { groupBy } from '../../lists/group-by.js';
import { firstAddress } from '../read/address.js';
import { list, object } from '../read/json.js';
import { nameKey } from '../rules/carriers.js';
import type { ResourceIndex } from '../rules/reading.js';
import { aclsOf } from './acls.js';
import { backendGate } from './backends.js';
import { borderOf } from './border.js';
import type { Door, Way } from './door.js';

const FAMILIES = [4, 6] as const;

/** Composes the doors of a stack; a firewall stands before each place, and alone it is all that is known. */
export function findWays(doors: readonly Door[]): Way[] {
  const places = doors.filter(({ list: { kind } }) => kind === 'group' || kind === 'listener');
  const firewalls = doors.filter(({ list: { kind } }) => kind === 'firewall');
  const guarded = new Set(places.flatMap(placeKeys));
  const alone = groupBy(
    firewalls
      .flatMap(eachSubject)
      .filter((door) => !placeKeys(door).some((key) => guarded.has(key))),
    (door) => placeKeys(door).join(),
  );
  const border = borderOf(firewalls);
  return [
    ...places.map((door) => {
      const acls = aclsOf(door, door.list.kind, doors);
      const gates = door.gates.map((list) => ({ ...door, list }));
      const inward = [...gates, ...border.before(door), ...acls, door, ...backendGate(door, doors)];
      return toWay(door, door.list.direction === 'ingress' ? inward : inward.toReversed());
    }),
    ...[...alone.values()].map((all) => toWay(all[0], border.before(all[0]), familiesOf(all))),
  ];
}

/** A firewall stands before each subject of its rules. */
function eachSubject(door: Door): Door[] {
  const [, ...others] = door.of;
  return others.length === 0 ? [door] : door.of.map((name) => ({ ...door, ...name, of: [name] }));
}

function placeKeys({ of, list: { direction } }: Door): string[] {
  return of.map((name) => `${direction} ${nameKey(name)}`);
}

/** A firewall alone knows a place by the addresses of its policies: none of another family reaches them. */
function familiesOf(firewalls: readonly Door[]): readonly (4 | 6)[] {
  const own = firewalls.map(({ list }) => list.own);
  const isNamed = own.some((peer) => peer?.kind !== 'addresses');
  if (isNamed) return FAMILIES;
  return FAMILIES.filter((family) =>
    own.some((peer) => peer?.kind === 'addresses' && peer.family === family),
  );
}

function toWay(door: Door, series: readonly Door[], families: Way['families'] = FAMILIES): Way {
  const { stack, subject, via, vpc, list, hosts } = door;
  const carrier = firstAddress(list.carrier);
  const resources = list.rules.map(({ resource }) => resource);
  const names = [...new Set([subject, list.carrier, carrier, ...resources])];
  return { stack, subject, via, vpc, direction: list.direction, names, series, hosts, families };
}

/** A private link of the enterprise's own: others call an endpoint service, and get to its listeners. */
export interface PrivateLink {
  /** Terraform's address of the endpoint service. */
  readonly service: string;
  /** Tells whether a connection is accepted. */
  readonly isConnected: boolean;
  /** The ways on from the load balancers of the service, each with what is behind it. */
  readonly listeners: readonly Way[];
}

/** Finds the endpoint services of a stack, with what calls to them get to. */
export function findPrivateLinks(index: ResourceIndex, ways: readonly Way[]): PrivateLink[] {
  const connections = index.ofType('volcenginecc_privatelink_vpc_endpoint_connection');
  const connected = new Set(connections.map(({ body }) => index.named(body.service_id)?.address));
  return index.ofType('volcenginecc_privatelink_endpoint_service').map(({ address, body }) => {
    const balancers = list(body.resources).map(
      (one) => index.named(object(one).resource_id)?.address,
    );
    const isIts = ({ kind, carrier }: Way['series'][number]['list']) =>
      kind === 'listener' && balancers.includes(firstAddress(carrier));
    return {
      service: address,
      isConnected: connected.has(address),
      listeners: ways.filter(({ series }) => series.some(({ list }) => isIts(list))),
    };
  });
}
