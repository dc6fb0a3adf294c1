import * as z from 'zod';
import { ACCESS_SCHEMA, type AccessModel } from '../access/access-model.js';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { parseCidr } from '../net/cidr.js';

// A line break in a name would become a rule of its own in a rendered file.
const text = z
  .string()
  .min(1)
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'must not hold control characters');

const known = text.refine((value) => !value.includes('${'), {
  error: 'is not known before the deploy',
});

const cidr = known.superRefine((value, context) => {
  try {
    parseCidr(value);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'bad' });
  }
});

const port = z.int().min(-1).max(65535);

const rule = z
  .strictObject({
    via: z.enum(['private-network', 'fixed-ip', 'private-plugin', 'fixed-ip-plugin']),
    direction: z.enum(['ingress', 'egress']),
    subject: known,
    peer: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('cidr'), cidr }),
      z.strictObject({ kind: z.literal('account'), account: text }),
      z.strictObject({ kind: z.literal('endpoint'), endpoint: text }),
      z.strictObject({ kind: z.literal('group'), group: text }),
    ]),
    protocol: z.enum(['tcp', 'udp', 'icmp', 'any']),
    ports: z.strictObject({ first: port, last: port }),
    reason: text,
    exception: z.strictObject({ reason: text, owner: text, expires: text }).optional(),
  })
  .refine(
    ({ protocol, ports: { first, last } }) =>
      (protocol !== 'tcp' && protocol !== 'udp') || (0 <= first && first <= last),
    { path: ['ports'], error: 'must be ports, the first not above the last' },
  );

const accessFile = z.strictObject({
  schema: z.literal(ACCESS_SCHEMA),
  stack: known,
  digest: z.string().regex(/^[0-9a-f]*$/),
  rules: z.array(rule),
});

/**
 * Checks an `access.json` strictly: rules are made from it.
 *
 * @throws ConnectivityError `access.invalid` naming the first field
 */
export function checkAccessModel(value: unknown): AccessModel {
  const result = accessFile.safeParse(value);
  if (result.success) return result.data as AccessModel;
  const [issue] = result.error.issues;
  const field = issue?.path.join('.') || 'file';
  throw new ConnectivityError(
    'access.invalid',
    `\`${field}\` of the access rules: ${issue?.message}, got: ${JSON.stringify(at(value, issue?.path ?? []))}`,
  );
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined,
    value,
  );
}
