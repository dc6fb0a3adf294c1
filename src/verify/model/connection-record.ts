import * as z from 'zod/mini';
import { type ConnectionResult, connectionResultSchema, instant } from './verification.js';

export const CONNECTION_RECORD_SCHEMA = 'secure-connectivity/connection@1';

/** A connection as the deploy left it, as a line of its own beside those of links. */
export const connectionRecordSchema = z.object({
  schema: z.literal(CONNECTION_RECORD_SCHEMA),
  /** By the clock of the machine that checked. */
  startedAt: instant,
  ...connectionResultSchema.shape,
});

export type ConnectionRecord = z.infer<typeof connectionRecordSchema>;

export function connectionRecord(startedAt: string, result: ConnectionResult): ConnectionRecord {
  return { schema: CONNECTION_RECORD_SCHEMA, startedAt, ...result };
}
