import * as z from 'zod/mini';
import { STAGE_NAMES } from './verification-names.js';

const link = z.string();
const count = z.int().check(z.nonnegative());

/** What a check says while it runs; a vantage point says it in a line each. */
export const progressSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('stage'), link, stage: z.enum(STAGE_NAMES) }),
  z.object({
    kind: z.literal('retry'),
    link,
    attempt: count,
    code: z.string(),
    nextInMs: z.number().check(z.nonnegative()),
  }),
  /** Passes in a row so far, and how many are wanted. */
  z.object({ kind: z.literal('pass'), link, attempt: count, passes: count, wanted: count }),
  /** It failed, and probes look for the cause. */
  z.object({ kind: z.literal('probes'), link }),
  z.object({ kind: z.literal('link'), link, verdict: z.string() }),
]);

export type Progress = Readonly<z.infer<typeof progressSchema>>;
