import { anyText, either, flag, list, map, number, oneOf, text } from '../../cloud/props/kinds.js';
import {
  type Check,
  type Kind,
  object,
  optional,
  required,
  type Shape,
} from '../../cloud/props/shape.js';
import { idPattern, SERVICE_ZONE } from '../../cloud/table/names.js';
import { isObject } from '../../files/json.js';
import {
  type BoundNetwork,
  boundNetwork,
  type IPrivateNetwork,
  type NetworkSubnet,
  network,
} from '../network-props.js';
import { COMMON_PROPS, type CommonProps, cidrs, host, name, port } from '../props-and-outputs.js';

export interface ServiceEndpointProps extends CommonProps {
  /** The network that the endpoint is placed in. */
  readonly network: IPrivateNetwork;
  /** Name of the endpoint, and prefix for the name of its security group. */
  readonly name: string;
  /** The service's fixed endpoint service name, as its documentation for enterprises gives it. */
  readonly serviceName: string;
  /**
   * The id of that endpoint service, which the cloud needs beside the name.
   *
   * @default - the id that ends the name: `epsvc-1a2b` of `com.volces.privatelink.cn-beijing.epsvc-1a2b`
   */
  readonly serviceId?: string;
  /** The service's public API host: the audience of every JWT. */
  readonly apiHost: string;
  /**
   * The service's protocol on the private path. With `http`, the JWT and the token travel unencrypted
   * inside the network; the check refuses it over any other address.
   */
  readonly scheme: 'https' | 'http';
  /** @default - 443 for https, 80 for http */
  readonly port?: number;
  /**
   * Zones of the network that get an interface; zone A of North China 2 must be one.
   *
   * @default - zone A alone, the only one that the service's specification names
   */
  readonly zones?: readonly string[];
  /**
   * The endpoint's own address by zone, in the subnet of that zone. In subnets with other users,
   * choose a free one.
   *
   * @default - chosen at synth, in the upper half of each subnet
   */
  readonly addresses?: Readonly<Record<string, string>>;
  /** CIDRs that may call the service through the endpoint; `allowFrom` adds to them. @default - the CIDRs of the network */
  readonly allowedNetworks?: readonly string[];
  /** The server name (SNI) sent and verified in TLS. @default - the host of the base URL */
  readonly tlsServerName?: string;
  /**
   * Existing groups, attached in addition to the endpoint's own and never edited: traffic that any
   * of them allows is allowed.
   *
   * @default - none
   */
  readonly securityGroupIds?: readonly string[];
  /**
   * True if the API host itself resolves to the endpoint: by a new private zone of that name inside
   * the VPC, by records in an existing zone, or by records that others manage. Requires https on
   * port 443, because clients of that name use nothing else.
   *
   * @default false
   */
  readonly privateZone?: boolean | ExistingZone | RecordsElsewhere;
  /**
   * More VPCs in which the API host resolves to the endpoint, each routed to the endpoint's own;
   * `bindPrivateZone` adds to them. `allowedNetworks` must admit their clients.
   *
   * @default - the VPC of the endpoint alone
   */
  readonly privateZoneNetworks?: readonly BoundNetwork[];
  /**
   * True if Terraform refuses to destroy it; a new endpoint has a new domain that every client must
   * switch to.
   * @default true
   */
  readonly preventDestroy?: boolean;
}

/** An existing private zone; its bound networks are left unchanged. */
export interface ExistingZone {
  /** Its id, a number. */
  readonly zoneId: number;
  /** The API host, or a domain above it. */
  readonly zoneName: string;
}

/** Records that another team enters, from the output `records` of the endpoint. */
export interface RecordsElsewhere {
  /** The people who manage them, in your own words; the check names them if a record is missing. */
  readonly managedBy: string;
}

export const DEFAULT_PORT = { https: 443, http: 80 } as const;

/** An endpoint service's id, as the cloud makes it. */
export const SERVICE_ID = idPattern('epsvc');

/** The id in an endpoint service's name: its last label, unless the name has a suffix of its owner's choice. */
export function readServiceId(serviceName: string): string | undefined {
  const label = serviceName.slice(serviceName.lastIndexOf('.') + 1);
  return SERVICE_ID.test(label) ? label : undefined;
}

/** The subnets that an endpoint has an interface in, in the order of their zones. */
export function endpointSubnets({
  network,
  zones = [SERVICE_ZONE],
}: ServiceEndpointProps): [zone: string, NetworkSubnet][] {
  return [...network.subnets]
    .filter(([zone]) => zones.includes(zone))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Names the people who manage the records of the API host; undefined if the stack does. */
export function managedBy({
  privateZone,
}: Pick<ServiceEndpointProps, 'privateZone'>): string | undefined {
  return typeof privateZone === 'object' && 'managedBy' in privateZone
    ? privateZone.managedBy
    : undefined;
}

/** The remedy where everyone would be let in. */
export const NAME_YOURS = '; name your networks';

export const SERVICE_ENDPOINT: Shape<ServiceEndpointProps> = {
  ...COMMON_PROPS,
  network: required(network),
  name: required(name),
  serviceName: required(text),
  serviceId: optional(text),
  apiHost: required(host),
  scheme: required(oneOf('https', 'http')),
  port: optional(port),
  zones: optional(list('zones', text)),
  addresses: optional(map('an object of addresses by zone', text)),
  allowedNetworks: optional(cidrs(NAME_YOURS)),
  tlsServerName: optional(host),
  securityGroupIds: optional(list('ids of security groups', text)),
  privateZone: optional(privateZoneKind()),
  privateZoneNetworks: optional(list('networks', boundNetwork)),
  preventDestroy: optional(flag),
};

function privateZoneKind(): Kind {
  const is = 'true, false, an existing zone (zoneId, zoneName) or records of others (managedBy)';
  const zone = object<ExistingZone>(is, { zoneId: required(number), zoneName: required(text) });
  const records = object<RecordsElsewhere>(is, { managedBy: required(anyText) });
  const isObjects = (value: unknown) => isObject(value) && 'managedBy' in value;
  const problems: Check = (value, path) =>
    typeof value === 'boolean' ? [] : either(is, isObjects, records, zone).problems(value, path);
  return { is, problems };
}
