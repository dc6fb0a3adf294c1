import { isUnknown, list, object, text } from '../read/json.js';
import { refersTo, type TerraformResource } from '../read/terraform-json.js';
import { makeGate } from '../rules/peers.js';
import type { ResourceIndex, RuleList } from '../rules/reading.js';
import type { HostName } from './door.js';
import { allRecordsOf, answerName, differingZones, isInForce, vpcsOf } from './resolve-name.js';

const ENDPOINT = 'volcenginecc_privatelink_vpc_endpoint';

/** Finds the names of the private zones of a stack that lead to an endpoint. */
export function findHostNames(carrier: string, index: ResourceIndex): HostName[] {
  const endpoint = index.at(carrier);
  if (endpoint?.type !== ENDPOINT) return [];
  const zones = index.ofType('volcenginecc_privatezone_private_zone');
  const inForce = zones.flatMap((zone) => allRecordsOf(zone, index)).filter(isInForce);
  return zones.flatMap((zone) => {
    const all = allRecordsOf(zone, index);
    const own = all.filter(({ body }) => leadsTo(endpoint, body.value));
    const hosts = new Set(own.map(({ body }) => text(body.host)));
    return [...hosts].flatMap((host) => {
      const domain = text(zone.body.zone_name);
      const name = host === '@' ? domain : `${host}.${domain}`;
      const isDisabled = !own.some((one) => text(one.body.host) === host && isInForce(one));
      // Another record may answer in its place, and lead to the endpoint by another name.
      const isReplaced = inForce.some(({ body }) => [host, '*'].includes(text(body.host)));
      const vpcs = vpcsOf(zone);
      return isDisabled && isReplaced ? [] : { name, zone: zone.address, vpcs, isDisabled };
    });
  });
}

function leadsTo(endpoint: TerraformResource, value: unknown): boolean {
  const addresses = list(endpoint.body.zones).map((zone) => text(object(zone).private_ip_address));
  return refersTo(value, endpoint) || addresses.includes(text(value));
}

/**
 * The answer that a client gets for a name in one VPC: elsewhere than in those of its zones it is the public one, and
 * a closer zone that is bound there comes before them.
 *
 * @param hosts the name in each zone that leads it to the endpoint, at least one
 */
export function nameGate(
  hosts: readonly HostName[],
  vpc: string,
  carrier: string,
  index: ResourceIndex,
): RuleList {
  const asking = { vpcs: [vpc], elsewhere: () => undefined };
  const inForce = hosts.filter(({ isDisabled }) => !isDisabled);
  const bound = inForce.find(({ vpcs }) => vpcs.includes(vpc));
  const unclear = inForce.find(({ vpcs }) => vpcs.some(isUnknown));
  const { name = '', zone = '' } = bound ?? unclear ?? hosts[0] ?? {};
  if (inForce.length === 0) return makeGate(zone, false, `the record of ${name} is disabled`);
  const zones = differingZones(index, name, asking);
  const open = makeGate(zone, true, `${name} resolves to the endpoint in this VPC`);
  const [, ...others] = zones;
  if (bound !== undefined && others.length === 0) {
    const { zones: asked, records } = answerName(index, name.toLowerCase(), asking);
    const endpoint = index.at(carrier);
    if (endpoint && records.some(({ body }) => leadsTo(endpoint, body.value))) return open;
    const closer = asked[0]?.address ?? zone;
    return makeGate(closer, false, `${name} does not resolve to the endpoint in this VPC`);
  }
  const closed = makeGate(zone, false, `${name} resolves to the public address in this VPC`);
  if (bound === undefined && unclear === undefined) return closed;
  const doubt =
    bound === undefined
      ? `Is ${zone} bound to ${vpc}?`
      : `Which private zone of one name counts in ${vpc}: ${zones.join(' or ')}?`;
  return { ...closed, rules: closed.rules.map((rule) => ({ ...rule, isAccept: true, doubt })) };
}

/** The states of a connection in which packets to its endpoint go nowhere. */
const UNCONNECTED = [
  'PendingAcceptance',
  'Connecting',
  'Disconnecting',
  'Rejected',
  'Failed',
  'ServiceDeleted',
];

/** Finds the connection of an endpoint: no configuration has its state, the cloud and Terraform's states do. */
export function findGates({ carrier, direction }: RuleList, index: ResourceIndex): RuleList[] {
  const { type, body } = index.at(carrier) ?? {};
  if (direction !== 'ingress' || type !== ENDPOINT) return [];
  const status = text(body?.connection_status);
  if (status === 'Connected') return [makeGate(carrier, true, 'the connection is accepted')];
  if (!UNCONNECTED.includes(status)) return [];
  return [makeGate(carrier, false, `the endpoint's connection is not accepted: ${status}`)];
}
