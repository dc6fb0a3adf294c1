import * as z from 'zod';
import { SERVICE_ZONE } from '../../cloud/table/names.js';
import { MAX_MORE_GROUPS } from '../defaults.js';
import { host, idField, name, networks, port, reasonedNetworks, zone } from '../fields.js';

const privateZone = z.union(
  [
    z.boolean(),
    z.strictObject({
      zoneId: z.int().min(1).describe('id of the existing private zone, a number'),
      zoneName: host.describe('its name: the API host, or a domain above it'),
    }),
    z.strictObject({
      managedBy: z
        .string()
        .min(1)
        .max(200)
        .describe('who manages the records, in your own words; an output lists them'),
    }),
  ],
  {
    error:
      'must be true, false, an existing zone (zoneId, zoneName) or records of others (managedBy)',
  },
);

export const serviceEndpoint = z.strictObject({
  name: name.describe('name of the endpoint and of its security group'),
  serviceName: z
    .string()
    .min(1)
    .describe('name of the endpoint service that the service publishes for enterprises'),
  serviceId: idField('epsvc')
    .optional()
    .describe(
      'id of that endpoint service, which the cloud needs; default: the id at the end of `serviceName`',
    ),
  scheme: z
    .enum(['https', 'http'])
    .describe(
      'what the service speaks on the private path; with http, tokens travel unencrypted inside the network',
    ),
  port: port.optional().describe('default: 443 for https, 80 for http'),
  zones: z
    .array(zone)
    .min(1)
    .optional()
    .describe(
      `default: ${SERVICE_ZONE} alone, the only zone that the service's specification names`,
    ),
  addresses: z
    .record(zone, z.ipv4('must be an IPv4 address'))
    .optional()
    .describe("the endpoint's address by zone; default: chosen from the upper half of the subnet"),
  allowedNetworks: reasonedNetworks
    .optional()
    .describe('who may call through the endpoint; default: the CIDRs of the network'),
  tlsServerName: host
    .optional()
    .describe('server name sent (SNI) and verified in TLS; default: the host of the base URL'),
  securityGroupIds: z
    .array(idField('sg'))
    .min(1)
    .max(MAX_MORE_GROUPS)
    .optional()
    .describe(
      'existing groups to attach in addition to its own; groups are additive, and these are never edited',
    ),
  privateZone: privateZone
    .default(false)
    .describe(
      'makes the API host itself resolve to the endpoint: with `true` by a new private zone in the VPC, otherwise by a zone that exists or is managed elsewhere; requires https on 443',
    ),
  privateZoneNetworks: z
    .array(
      z.strictObject({
        vpcId: idField('vpc').describe('id of the existing VPC'),
        cidrs: networks.describe('all CIDRs of the existing VPC'),
      }),
    )
    .min(1)
    .optional()
    .describe(
      'more VPCs in which the API host resolves to the endpoint; `allowedNetworks` must admit their clients',
    ),
  preventDestroy: z
    .boolean()
    .default(true)
    .describe(
      'Terraform refuses to destroy it, because a new endpoint would have a new domain that every client must switch to',
    ),
});
