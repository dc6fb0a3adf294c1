import { isUnknown, list, object, text } from '../read/json.js';
import { refersTo, type TerraformResource } from '../read/terraform-json.js';
import { makeGate } from '../rules/peers.js';
import type { ResourceIndex, RuleList } from '../rules/reading.js';
import type { HostName } from './door.js';
import {
  type Asking,
  allRecordsOf,
  answerName,
  differingZones,
  ENDPOINT,
  hostText,
  recordsAt,
  vpcsOf,
} from './resolve-name.js';

/** Finds the names of the private zones of a stack that lead to an endpoint. */
export function findHostNames(carrier: string, index: ResourceIndex): HostName[] {
  const endpoint = index.at(carrier);
  if (endpoint?.type !== ENDPOINT) return [];
  const zones = index.ofType('volcenginecc_privatezone_private_zone');
  return zones.flatMap((zone) => {
    const own = allRecordsOf(zone, index).filter(({ body }) =>
      leadsThere({ body, zone }, endpoint, index),
    );
    const hosts = new Set(own.map(({ body }) => text(body.host)));
    return [...hosts].map((host) => {
      const domain = text(zone.body.zone_name);
      const name = (host === '@' ? domain : `${host}.${domain}`).toLowerCase();
      const isDisabled = recordsAt(zone, name, index).length === 0;
      return { name, zone: zone.address, vpcs: vpcsOf(zone), isDisabled };
    });
  });
}

/** Tells whether a record has an address or the domain of an endpoint, or is the alias of a name that leads to it. */
function leadsThere(
  { body, zone }: Pick<TerraformResource, 'body'> & { readonly zone: TerraformResource },
  endpoint: TerraformResource,
  index: ResourceIndex,
): boolean {
  if (leadsTo(endpoint, body.value)) return true;
  return (
    body.type === 'CNAME' &&
    vpcsOf(zone).some((vpc) => {
      const { records } = answerName(index, hostText(body.value), askingIn(vpc));
      return records.some((record) => leadsTo(endpoint, record.body.value));
    })
  );
}

function leadsTo(endpoint: TerraformResource, value: unknown): boolean {
  const zones = list(endpoint.body.zones).map(object);
  const [addresses, domains] = [
    zones.map((zone) => text(zone.private_ip_address)),
    [endpoint.body, ...zones].map((one) => text(one.endpoint_domain ?? one.zone_domain)),
  ];
  const written = hostText(value);
  return (
    refersTo(value, endpoint) || (written !== '' && [...addresses, ...domains].includes(written))
  );
}

/** The questions of a client of one VPC, where nothing is known of public names. */
function askingIn(vpc: string): Asking {
  return { vpcs: [vpc], elsewhere: () => undefined };
}

/**
 * The answer that a client gets for a name in one VPC: elsewhere than in those of its zones it is the public one, and
 * a closer zone that is bound there comes before them.
 *
 * @param hosts the name in each zone that leads it to the endpoint, at least one
 */
export function nameGate(
  name: string,
  hosts: readonly HostName[],
  { vpc, carrier }: { readonly vpc: string; readonly carrier: string },
  index: ResourceIndex,
): RuleList {
  const asking = askingIn(vpc);
  const inForce = hosts.filter(({ isDisabled }) => !isDisabled);
  const bound = inForce.find(({ vpcs }) => vpcs.includes(vpc));
  const unclear = inForce.find(({ vpcs }) => vpcs.some(isUnknown));
  const { zone = '' } = bound ?? unclear ?? hosts[0] ?? {};
  if (inForce.length === 0) return makeGate(zone, false, `the record of ${name} is disabled`);
  const zones = differingZones(index, name, asking);
  const open = makeGate(zone, true, `${name} resolves to the endpoint in this VPC`);
  const [, ...others] = zones;
  if (bound !== undefined && others.length === 0) {
    const { zones: asked, records } = answerName(index, name, asking);
    const endpoint = index.at(carrier);
    if (endpoint && records.some(({ body }) => leadsTo(endpoint, body.value)))
      return withStrays(open, name, records, index);
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

/** Doubts a name that also has an address which no endpoint of the stack has: some clients call that one. */
function withStrays(
  open: RuleList,
  name: string,
  records: readonly TerraformResource[],
  index: ResourceIndex,
): RuleList {
  const endpoints = index.ofType(ENDPOINT);
  const strays = records.filter(
    ({ body }) => body.type === 'A' && !endpoints.some((one) => leadsTo(one, body.value)),
  );
  if (strays.length === 0) return open;
  const values = strays.map(({ address, body }) =>
    isUnknown(body.value) ? `the value of ${address}` : text(body.value),
  );
  const doubt = `Does ${values.join(' or ')} answer, to which ${name} leads too?`;
  return { ...open, rules: open.rules.map((rule) => ({ ...rule, doubt })) };
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
