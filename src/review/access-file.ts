import * as z from 'zod';

/** Text, whatever was written: what is missing is told as a violation and not as a crash. */
const lenient = z.unknown().transform((value) => (typeof value === 'string' ? value : ''));

const exception = z.looseObject({ reason: lenient, owner: lenient, expires: lenient });

const rule = z.looseObject({
  via: z.string(),
  direction: z.enum(['ingress', 'egress']),
  subject: z.string(),
  peer: z.looseObject({ kind: z.string() }),
  protocol: z.string(),
  ports: z.object({ first: z.number(), last: z.number() }),
  reason: lenient,
  exception: exception.optional(),
});

/** `access.json` as a review reads it: fields that it does not know do no harm. */
export const accessFileSchema = z.looseObject({
  schema: z.string().startsWith('secure-connectivity/access@1'),
  stack: z.string(),
  digest: z.string(),
  rules: z.array(rule),
});

export type AccessFile = z.infer<typeof accessFileSchema>;
export type RawRule = z.infer<typeof rule>;
