import * as z from 'zod/mini';
import {
  type BackendResult,
  backendResultSchema,
  type ConnectionResult,
  connectionResultSchema,
  instant,
  type LinkResult,
  linkResultSchema,
} from './verification.js';

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
