import { anyText, either, flag, list, map, number, oneOf, text } from '../../cloud/props/kinds.js';
import {
  type Check,
  type Kind,
  object,
  optional,
  required,
  type Shape,
} from '../../cloud/props/shape.js';
import { isObject } from '../../files/json.js';
import { boundNetwork, network } from '../network-props.js';
import { COMMON_PROPS, cidrs, host, name, port } from '../prop-kinds.js';
import type {
  ExistingZone,
  RecordsElsewhere,
  ServiceEndpointProps,
} from './service-endpoint-props.js';

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
