import * as z from 'zod';
import { REGION } from '../cloud/table/names.js';
import { MAX_KEY_PAIRS, STATE_FOLDER } from './defaults.js';
import { host, pathInProject } from './fields.js';
import { check, keyPair, network, tags } from './options/deployment.js';
import { fixedIpEgress, fixedIpIngress } from './options/fixed-ip.js';
import { pluginEndpointService, userIdHeader } from './options/plugin-endpoint-service.js';
import { serviceEndpoint } from './options/service-endpoint.js';
import { state } from './options/state.js';

const fields = z.strictObject({
  $schema: z.string().optional().describe('for editors'),
  region: z.literal(REGION).describe('the region of the service: North China 2'),
  project: z
    .string()
    .min(1)
    .optional()
    .describe('the cloud project that every resource belongs to'),
  assumeRole: z
    .strictObject({
      trn: z.string().startsWith('trn:', 'must start with `trn:`').describe('TRN of the role'),
      durationSeconds: z.int().min(900).max(43200).optional().describe('duration of its session'),
    })
    .optional()
    .describe('role to assume for a deploy'),
  tags: tags.default({}).describe('tags for every resource, such as owner and ticket'),
  apiHost: host.describe("the service's public API host: the audience of every JWT"),
  keyPairs: z
    .array(keyPair)
    .min(1)
    .max(MAX_KEY_PAIRS)
    .optional()
    .describe('key pairs, each tested by the check; default: the one in the environment'),
  network: network.optional().describe('where the endpoint is'),
  serviceEndpoint: serviceEndpoint.optional().describe('private-network access to the API'),
  fixedIpEgress: fixedIpEgress.optional().describe('fixed-IP access to the API'),
  pluginEndpointService: pluginEndpointService
    .optional()
    .describe('private-network access to a private plugin'),
  fixedIpIngress: fixedIpIngress.optional().describe('fixed-IP access to a plugin'),
  userIdHeader: userIdHeader.optional().describe('user ID header of plugin calls'),
  check: check.prefault({}).describe('the check after each deploy'),
  intents: pathInProject('must be a file name relative to the project')
    .optional()
    .describe('the file of intents: who may reach whom, and who may not'),
  state: state.default({ backend: 'local', folder: STATE_FOLDER }).describe("Terraform's state"),
});

/** One environment's settings: everything that differs between environments, and no secret. */
export const settingsSchema = fields.superRefine((settings, context) => {
  const { network: given, serviceEndpoint: endpoint, fixedIpEgress: access } = settings;
  const missing = (path: string[], message: string) =>
    context.addIssue({ code: 'custom', path, message });
  if (endpoint !== undefined && given === undefined) {
    missing(['network'], 'is required with `serviceEndpoint`');
  }
  // The VPC of an endpoint without a network is that mistake, and no second one.
  const hasVpc = endpoint !== undefined;
  if (access?.securityGroup !== undefined && access.securityGroup.vpcId === undefined && !hasVpc) {
    const path = ['fixedIpEgress', 'securityGroup', 'vpcId'];
    missing(path, 'is required where no `network` with a `serviceEndpoint` is given');
  }
});

export type Settings = z.output<typeof settingsSchema>;
