import * as z from 'zod/mini';
import {
  backendResultSchema,
  connectionResultSchema,
  instant,
  linkResultSchema,
} from './verification.js';
import {
  BACKEND_RECORD_SCHEMA,
  CONNECTION_RECORD_SCHEMA,
  LINK_RECORD_SCHEMA,
} from './verification-names.js';

/** The result of one link as a separate line; the lines of several runs can be concatenated. */
export const linkRecordSchema = z.object({
  schema: z.literal(LINK_RECORD_SCHEMA),
  /** When the check of this link started, by the clock of the machine that checked. */
  startedAt: instant,
  ...linkResultSchema.shape,
});

export type LinkRecord = z.infer<typeof linkRecordSchema>;

/** A connection as the deploy left it, as a separate line beside those of links. */
export const connectionRecordSchema = z.object({
  schema: z.literal(CONNECTION_RECORD_SCHEMA),
  /** By the clock of the machine that checked. */
  startedAt: instant,
  ...connectionResultSchema.shape,
});

export type ConnectionRecord = z.infer<typeof connectionRecordSchema>;

/** What was seen of a private plugin's server, as a separate line beside those of links. */
export const backendRecordSchema = z.object({
  schema: z.literal(BACKEND_RECORD_SCHEMA),
  /** By the clock of the machine that checked. */
  startedAt: instant,
  ...backendResultSchema.shape,
});

export type BackendRecord = z.infer<typeof backendRecordSchema>;
