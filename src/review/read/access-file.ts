import * as z from 'zod';

/** Text, whatever was written: what is missing is told as a violation and not as a crash. */
const lenient = z.unknown().transform((value) => (typeof value === 'string' ? value : ''));

const exception = z.looseObject({ reason: lenient, owner: lenient, expires: lenient });

/** cdktf writes a number that only the deploy knows as one far below every other. */
const isNumberToken = (value: number) => value < -1e200;

const port = z
  .number()
  .refine(
    (value) => isNumberToken(value) || (Number.isInteger(value) && value >= 0 && value <= 65_535),
    'must be a port from 0 to 65535',
  );

const ports = z
  .object({ first: port, last: port })
  .refine(
    ({ first, last }) => first <= last || isNumberToken(last),
    'must have its first port before its last',
  );

const rule = z.looseObject({
  via: z.string(),
  direction: z.enum(['ingress', 'egress']),
  subject: z.string(),
  peer: z.looseObject({ kind: z.string() }),
  protocol: z.string(),
  ports,
  reason: lenient,
  exception: exception.optional(),
});

/** `access.json` as a review reads it: fields that it does not know do no harm. */
export const accessFileSchema = z.looseObject({
  schema: z
    .string()
    .regex(/^secure-connectivity\/access@1(?!\d)/, 'must be secure-connectivity/access@1'),
  stack: z.string(),
  digest: z.string(),
  rules: z.array(rule),
});

export type AccessFile = z.infer<typeof accessFileSchema>;
export type RawRule = z.infer<typeof rule>;
