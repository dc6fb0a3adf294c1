import { z } from 'zod';
import { cidr, duration, host } from './text.js';

const zone = z
  .string()
  .regex(/^cn-beijing-[a-z]$/, 'must be a zone of North China 2 such as cn-beijing-a');

const network = z.union(
  [
    z.strictObject({
      name: z.string().describe('name of the new VPC'),
      cidr: cidr.describe('CIDR of the new VPC'),
      subnets: z.record(zone, cidr).describe('CIDR of the subnet by zone'),
    }),
    z.strictObject({
      vpcId: z.string().describe('id of the existing VPC'),
      cidrs: z.array(cidr).min(1).describe('all CIDRs of the existing VPC'),
      subnets: z
        .record(zone, z.strictObject({ subnetId: z.string(), cidr }))
        .describe('existing subnet by zone'),
    }),
  ],
  {
    error: 'must be a new network (name, cidr, subnets) or an existing one (vpcId, cidrs, subnets)',
  },
);

const serviceEndpoint = z.strictObject({
  name: z.string().describe('name of the endpoint and of its security group'),
  serviceName: z
    .string()
    .min(1)
    .describe('name of the endpoint service that the service publishes for enterprises'),
  scheme: z
    .enum(['https', 'http'])
    .describe(
      'what the service speaks on the private path; with http, tokens travel in clear inside the network',
    ),
  port: z.int().min(1).max(65535).optional().describe('default: 443 for https, 80 for http'),
  zones: z.array(zone).min(1).optional().describe('default: every zone of the network'),
  allowedNetworks: z
    .array(cidr)
    .min(1)
    .optional()
    .describe('who may call through the endpoint; default: the CIDRs of the network'),
  tlsServerName: host
    .optional()
    .describe('name sent and verified in TLS; default: the host of the base URL'),
  preventDestroy: z
    .boolean()
    .default(true)
    .describe('Terraform refuses to destroy it: a new endpoint has a new domain for every client'),
});

const check = z.strictObject({
  mode: z.enum(['required', 'report', 'off']).default('required'),
  runOn: z.enum(['change', 'every-deploy']).default('change'),
  wait: duration.default(300).describe('how long to wait for what may heal'),
});

const state = z.union(
  [
    z.strictObject({
      backend: z.literal('local'),
      folder: z
        .string()
        .regex(/^(?!\/|[A-Za-z]:)/, 'must be relative to the project')
        .default('.terraform-state'),
    }),
    z.strictObject({
      backend: z.enum(['s3', 'http', 'pg', 'consul', 'kubernetes']),
      config: z.record(
        z
          .string()
          .regex(
            /^(?!access_key$|secret_key$|token$|password$|conn_str$|access_token$|client_certificate|client_key)/,
            'is a credential; give it in the environment of Terraform',
          ),
        z.union([z.string(), z.number(), z.boolean()]),
      ),
    }),
  ],
  {
    error:
      'must be { backend: "local", folder } or { backend: "s3" | "http" | "pg" | "consul" | "kubernetes", config }',
  },
);

/** One environment's settings: everything that differs between environments, and no secret. */
export const settingsSchema = z.strictObject({
  $schema: z.string().optional(),
  region: z.literal('cn-beijing').describe('the region of the service: North China 2'),
  project: z.string().min(1).optional().describe("the cloud's project of every resource"),
  assumeRole: z
    .strictObject({
      trn: z.string().startsWith('trn:'),
      durationSeconds: z.int().min(900).max(43200).optional(),
    })
    .optional()
    .describe('role to act as when deploying'),
  tags: z
    .record(z.string().min(1).max(128), z.string().max(256))
    .default({})
    .describe('tags of every resource'),
  apiHost: host.describe("the service's public API host: the audience of every JWT"),
  network: network.optional(),
  serviceEndpoint: serviceEndpoint.optional().describe('private-network access to the API'),
  check: check.prefault({}).describe('the check after each deploy'),
  state: state.default({ backend: 'local', folder: '.terraform-state' }),
});

export type Settings = z.output<typeof settingsSchema>;
