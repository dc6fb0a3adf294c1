import * as z from 'zod/mini';
import { instant, type LinkResult, linkResultSchema } from './verification.js';

export const LINK_RECORD_SCHEMA = 'secure-connectivity/link-verification@1';

/** The result of one link as a line of its own; lines of several runs can be put after one another. */
export const linkRecordSchema = z.object({
  schema: z.literal(LINK_RECORD_SCHEMA),
  /** By the clock of the machine that checked; when this link was taken up. */
  startedAt: instant,
  ...linkResultSchema.shape,
});

export type LinkRecord = z.infer<typeof linkRecordSchema>;

export function linkRecord(startedAt: string, result: LinkResult): LinkRecord {
  return { schema: LINK_RECORD_SCHEMA, startedAt, ...result };
}
