import * as z from 'zod';
import { ACCOUNT, ACCOUNT_RULE } from '../../cloud/table/names.js';
import {
  BANDWIDTH_MBPS,
  LOAD_BALANCER_SPEC,
  MAX_SERVER_WEIGHT,
  SERVER_WEIGHT,
} from '../defaults.js';
import { exception, idField, name, networks, port, zone } from '../fields.js';
import { network } from './deployment.js';

const account = z.string().regex(ACCOUNT, ACCOUNT_RULE);

const server = z.strictObject({
  type: z.enum(['ecs', 'eni', 'ip']).describe('instance, network interface, or an address'),
  instanceId: z
    .string()
    .min(1)
    .optional()
    .describe(
      'id of the instance or interface: required for ecs and eni; for ip, the default is the address',
    ),
  ip: z.ipv4('must be an IPv4 address').describe('its address in the network'),
  port: port.describe('the port that it listens on'),
  weight: z
    .int()
    .min(0)
    .max(MAX_SERVER_WEIGHT)
    .default(SERVER_WEIGHT)
    .describe('share of the calls'),
});

const loadBalancer = z.union(
  [
    z.strictObject({
      loadBalancerId: idField('clb').describe('id of the existing private load balancer'),
      port: port.describe("its listener's port; the listener's ACL must allow 100.64.0.0/10"),
    }),
    z.strictObject({
      network: network.describe('network of the new private load balancer'),
      zone: zone.optional().describe('default: the first zone of its network'),
      protocol: z.enum(['TCP', 'HTTP']).describe('TCP passes TLS through to the backend'),
      port: port.describe("the listener's port"),
      servers: z
        .array(server)
        .min(1)
        .describe('either only addresses, or only instances and interfaces'),
      healthCheckPath: z
        .string()
        .regex(/^\/[\w./%?#&=-]*$/, 'must be a path that starts with /')
        .max(128)
        .optional()
        .describe('only for HTTP; default: /'),
      spec: z.string().min(1).default(LOAD_BALANCER_SPEC).describe('size'),
    }),
  ],
  {
    error:
      'must be a new load balancer (network, protocol, port, servers) or an existing one (loadBalancerId, port)',
  },
);

export const pluginEndpointService = z.strictObject({
  name: name.describe('prefix for the names of the resources'),
  backend: name.describe("the plugin's backend"),
  loadBalancer: loadBalancer.describe('private load balancer in front of the backend'),
  serviceAccountId: account.describe("the service's cloud account"),
  permittedAccountIds: z
    .array(
      z.string().regex(new RegExp(`${ACCOUNT.source}|^\\*$`), `${ACCOUNT_RULE}, or * for everyone`),
    )
    .min(1)
    .optional()
    .describe(
      "accounts that may connect, `*` for everyone; any but the service's need the exception; default: the service's account",
    ),
  permittedAccountsException: exception
    .optional()
    .describe("allows accounts other than the service's"),
  payer: z
    .enum(['Endpoint', 'EndpointService'])
    .describe('who pays for the link; changing it later replaces everything'),
  acceptedEndpointIds: z
    .array(idField('ep'))
    .optional()
    .describe(
      'endpoints whose connections are accepted, none at first; removing one disconnects it',
    ),
  bandwidthMbps: z
    .int()
    .min(BANDWIDTH_MBPS[0])
    .max(BANDWIDTH_MBPS[1])
    .optional()
    .describe("default: the cloud's"),
  preventDestroy: z
    .boolean()
    .default(true)
    .describe(
      'Terraform refuses to destroy it, because a new one would have a new id that every plugin must switch to',
    ),
});

export const userIdHeader = z.strictObject({
  backend: name.describe(
    'the backend that reads it, guarded by a plugin option of these settings or by `guard`',
  ),
  guard: z
    .strictObject({
      description: z
        .string()
        .min(1)
        .describe('in your own words, why nobody but the service gets through'),
      callerNetworks: networks.describe(
        "where the service's calls come from as the backend sees them",
      ),
    })
    .optional()
    .describe('a guard of your own, on plans without private and fixed-IP plugins; default: none'),
  trustedProxies: networks
    .optional()
    .describe('your own proxies whose X-Forwarded-For is trusted; default: none'),
});
