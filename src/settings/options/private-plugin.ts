import * as z from 'zod';
import { cidr, idOf, name, port, zone } from '../text.js';
import { exception } from './exception.js';
import { network } from './network.js';

const account = z.string().regex(/^\d{6,20}$/, 'must be the digits of an account id');

const server = z.strictObject({
  type: z.enum(['ecs', 'eni', 'ip']).describe('instance, network interface, or an address'),
  instanceId: z.string().min(1).optional().describe('for ecs and eni; default: the address'),
  ip: z.ipv4('must be an IPv4 address').describe('its address in the network'),
  port: port.describe('where it listens'),
  weight: z.int().min(0).max(100).default(100).describe('share of the calls'),
});

const loadBalancer = z.union(
  [
    z.strictObject({
      loadBalancerId: idOf('clb').describe('id of the existing private load balancer'),
      port: port.describe('its listener; the ACL must let 100.64.0.0/10 in'),
    }),
    z.strictObject({
      network: network.describe('where the new private load balancer is'),
      zone: zone.optional().describe('default: the first zone of its network'),
      protocol: z.enum(['TCP', 'HTTP']).describe('TCP passes TLS through to the backend'),
      port: port.describe("the listener's port"),
      servers: z.array(server).min(1).describe('all addresses, or all instances and interfaces'),
      healthCheckPath: z
        .string()
        .regex(/^\/[\w./%?#&=-]*$/, 'must be a path that starts with /')
        .max(128)
        .optional()
        .describe('only for HTTP; default: /'),
      spec: z.string().min(1).default('small_1').describe('size'),
    }),
  ],
  {
    error:
      'must be a new load balancer (network, protocol, port, servers) or an existing one (loadBalancerId, port)',
  },
);

export const privatePlugin = z.strictObject({
  name: name.describe('first part of the names of what is made'),
  backend: name.describe("the plugin's backend"),
  loadBalancer: loadBalancer.describe('private load balancer in front of the backend'),
  serviceAccountId: account.describe("the service's cloud account"),
  permittedAccountIds: z
    .array(
      z.string().regex(/^(\d{6,20}|\*)$/, 'must be the digits of an account id, or * for everyone'),
    )
    .min(1)
    .optional()
    .describe(
      "accounts that may connect, `*` for everyone; others than the service's need the exception; default: the service's account",
    ),
  permittedAccountsException: exception
    .optional()
    .describe("allows other accounts than exactly the service's"),
  payer: z
    .enum(['Endpoint', 'EndpointService'])
    .describe('who pays for the link; a later change replaces everything'),
  acceptedEndpointIds: z
    .array(idOf('ep'))
    .optional()
    .describe('endpoints whose connections are accepted, none at first; removing one cuts it'),
  bandwidthMbps: z.int().min(100).max(20000).optional().describe("default: the cloud's"),
  preventDestroy: z
    .boolean()
    .default(true)
    .describe('Terraform refuses to destroy it: a new one has a new id for every plugin'),
});

export const userIdHeader = z.strictObject({
  backend: name.describe(
    'the backend that reads it; a plugin of these settings or `guard` guards it',
  ),
  guard: z
    .strictObject({
      description: z
        .string()
        .min(1)
        .describe('in your own words, why nobody but the service gets through'),
      callerNetworks: z
        .array(cidr)
        .min(1)
        .describe("where the service's calls come from when they reach the backend"),
    })
    .optional()
    .describe('a guard of your own, on plans without private and fixed-IP plugins; default: none'),
  trustedProxies: z
    .array(cidr)
    .min(1)
    .optional()
    .describe('own proxies whose X-Forwarded-For is believed; default: none'),
});
