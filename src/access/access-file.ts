import * as z from 'zod';
import { usageError } from '../codes/connectivity-error.js';
import { issueText, parsedBy, valueAt } from '../codes/issue-text.js';
import { hostCidr, parseCidr } from '../net/cidr.js';
import { ACCESS_SCHEMA, type AccessModel } from './access-model.js';
import { ACCESS_VIAS, DIRECTIONS, PROTOCOLS } from './access-rule.js';

// A line break in a name would become a rule of its own in a rendered file.
const text = z
  .string()
  .min(1)
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'must not hold control characters');

const known = text.refine((value) => !value.includes('${'), {
  error: 'is not known before the deploy',
});

const cidr = known.superRefine(parsedBy(parseCidr));
const address = known.superRefine(parsedBy(hostCidr));

const strictPort = z.int().min(-1).max(65535);

const strictRule = z
  .strictObject({
    via: z.enum(ACCESS_VIAS),
    direction: z.enum(DIRECTIONS),
    subject: known,
    peer: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('cidr'), cidr }),
      z.strictObject({ kind: z.literal('account'), account: text }),
      z.strictObject({ kind: z.literal('endpoint'), endpoint: text }),
      z.strictObject({ kind: z.literal('group'), group: text }),
    ]),
    protocol: z.enum(PROTOCOLS),
    ports: z.strictObject({ first: strictPort, last: strictPort }),
    reason: text,
    enforcedElsewhere: text.optional(),
    exception: z.strictObject({ reason: text, owner: text, expires: text }).optional(),
    carriers: z.array(text).min(1).readonly().optional(),
  })
  .refine(
    ({ protocol, ports: { first, last } }) =>
      (protocol !== 'tcp' && protocol !== 'udp') || (0 <= first && first <= last),
    { path: ['ports'], error: 'must be ports, the first not above the last' },
  );

const strictFile = z.strictObject({
  schema: z.literal(ACCESS_SCHEMA),
  stack: known,
  digest: z.string().regex(/^[0-9a-f]*$/, 'must be hexadecimal'),
  rules: z.array(strictRule),
  endpoints: z
    .array(z.strictObject({ subject: known, addresses: z.array(address).min(1) }))
    .optional(),
});

/**
 * Checks an `access.json` strictly: rules are made from it.
 *
 * @throws ConnectivityError `usage.invalid` naming the first field
 */
export function checkAccessModel(value: unknown): AccessModel {
  const result = strictFile.safeParse(value, { reportInput: true });
  if (result.success) return result.data as AccessModel;
  const [issue] = result.error.issues;
  const got = JSON.stringify(valueAt(value, issue?.path ?? []));
  const problem = issue && `${issueText(issue)} in the access rules, got: ${got}`;
  throw usageError(problem ?? '');
}

/** Text, whatever was written: what is missing becomes a violation and not a crash. */
const tolerantText = z.unknown().transform((value) => (typeof value === 'string' ? value : ''));

/** cdktf writes a number that only the deploy knows as one far below every other. */
const isNumberToken = (value: number) => value < -1e200;

const tolerantPort = z
  .number()
  .refine(
    (value) => isNumberToken(value) || (Number.isInteger(value) && value >= 0 && value <= 65_535),
    'must be a port from 0 to 65535',
  );

const tolerantRule = z.looseObject({
  via: z.string(),
  direction: z.enum(DIRECTIONS),
  subject: z.string(),
  peer: z.looseObject({ kind: z.string() }),
  protocol: z.string(),
  ports: z
    .object({ first: tolerantPort, last: tolerantPort })
    .refine(
      ({ first, last }) => first <= last || isNumberToken(last),
      'must have its first port before its last',
    ),
  reason: tolerantText,
  // Absent in trees of versions that did not write them.
  carriers: z.array(tolerantText).readonly().optional(),
  enforcedElsewhere: tolerantText.optional(),
  exception: z
    .looseObject({ reason: tolerantText, owner: tolerantText, expires: tolerantText })
    .optional(),
});

/** `access.json` as a review reads it, from another version or another hand: unknown fields do no harm. */
export const accessFileSchema = z.looseObject({
  schema: z
    .string()
    .refine(
      (value) => new RegExp(`^${ACCESS_SCHEMA}(?!\\d)`).test(value),
      `must be ${ACCESS_SCHEMA}`,
    ),
  stack: z.string(),
  digest: z.string(),
  rules: z.array(tolerantRule),
});

export type AccessFile = z.infer<typeof accessFileSchema>;
export type RawRule = z.infer<typeof tolerantRule>;
