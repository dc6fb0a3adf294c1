import * as z from 'zod';
import { MARK_PREFIX, MAX_OWN_TAGS } from '../../cloud/table/mark.js';
import { WAIT_SECONDS } from '../defaults.js';
import {
  cidr,
  duration,
  idField,
  name,
  networks,
  pathInProject,
  textOfBytes,
  zone,
} from '../fields.js';

export const check = z.strictObject({
  mode: z
    .enum(['required', 'report', 'off'])
    .default('required')
    .describe('whether a failed check fails the deploy'),
  runOn: z.enum(['change', 'every-deploy']).default('change').describe('when to check'),
  program: z
    .literal('secure-connectivity')
    .optional()
    .describe(
      "how to start the check: this package's program, found on the PATH where Terraform runs; default: the installed package, by a path relative to the stack",
    ),
  runVia: z
    .array(
      z.union(
        [
          z.string().min(1),
          z.strictObject({
            name: z.string().min(1),
            command: z.array(z.string()),
            expect: z.literal('closed').optional(),
          }),
        ],
        {
          error: 'must be a command, or an object with name, command (a list of words) and expect',
        },
      ),
    )
    .min(1)
    .optional()
    .describe(
      'where the check runs: commands that reach a vantage point, such as `ssh bastion`, each with a name if there are several, such as `office=ssh bastion`; or objects with `name`, `command` and `expect`, which is `closed` where the vantage point must not reach a link that another one reaches; default: where Terraform runs',
    ),
  wait: duration
    .default(WAIT_SECONDS)
    .describe(`how long to keep retrying transient failures; default: ${WAIT_SECONDS / 60}m`),
});

export const keyPair = z.strictObject({
  kid: z.string().min(1).describe('fingerprint of the public key'),
  keyFile: pathInProject('must be a file name relative to the project')
    .refine((text) => !text.includes('PRIVATE KEY'), 'must be a file name, never the key')
    .describe('file that holds the private key, never the key itself'),
});

/** Tags of ours; one is left to the version of an address list. */
export const tags = z
  .record(
    textOfBytes(128).regex(
      /^(?!sys:|volc:|list-version$)\S(.*\S)?$/,
      'must be a tag key of 1 to 128 bytes without blanks at its ends, not starting with `sys:` or `volc:`, and not `list-version`',
    ),
    textOfBytes(256),
  )
  .refine(
    (all) => !Object.keys(all).some((key) => key.startsWith(MARK_PREFIX)),
    `must have keys that do not start with \`${MARK_PREFIX}\``,
  )
  .refine(
    (all) => Object.keys(all).length < MAX_OWN_TAGS,
    `must be at most ${MAX_OWN_TAGS - 1} tags`,
  );

/** A new VPC, or an existing one, which is left unchanged. */
export const network = z.union(
  [
    z.strictObject({
      name: name.describe('name of the new VPC'),
      cidr: cidr.describe('CIDR of the new VPC'),
      subnets: z.record(zone, cidr).describe('CIDR of each subnet by zone'),
    }),
    z.strictObject({
      vpcId: idField('vpc').describe('id of the existing VPC'),
      cidrs: networks.describe('all CIDRs of the existing VPC'),
      subnets: z
        .record(
          zone,
          z.strictObject({
            subnetId: idField('subnet').describe('its id'),
            cidr: cidr.describe('its CIDR'),
          }),
        )
        .describe('existing subnets by zone'),
    }),
  ],
  {
    error: 'must be a new network (name, cidr, subnets) or an existing one (vpcId, cidrs, subnets)',
  },
);
