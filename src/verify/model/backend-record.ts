import * as z from 'zod/mini';
import { type BackendResult, backendResultSchema, instant } from './verification.js';

export const BACKEND_RECORD_SCHEMA = 'secure-connectivity/backend@1';

/** What was seen of a private plugin's server, as a line of its own beside those of links. */
export const backendRecordSchema = z.object({
  schema: z.literal(BACKEND_RECORD_SCHEMA),
  /** By the clock of the machine that checked. */
  startedAt: instant,
  ...backendResultSchema.shape,
});

export type BackendRecord = z.infer<typeof backendRecordSchema>;

export function backendRecord(startedAt: string, result: BackendResult): BackendRecord {
  return { schema: BACKEND_RECORD_SCHEMA, startedAt, ...result };
}
