import type { BackendRecord, ConnectionRecord, LinkRecord } from './records.js';
import type { BackendResult, ConnectionResult, LinkResult } from './verification.js';
import {
  BACKEND_RECORD_SCHEMA,
  CONNECTION_RECORD_SCHEMA,
  LINK_RECORD_SCHEMA,
} from './verification-names.js';

// Apart from the schemas: who writes records need not load what reads them.

export function linkRecord(startedAt: string, result: LinkResult): LinkRecord {
  return { schema: LINK_RECORD_SCHEMA, startedAt, ...result };
}

export function connectionRecord(startedAt: string, result: ConnectionResult): ConnectionRecord {
  return { schema: CONNECTION_RECORD_SCHEMA, startedAt, ...result };
}

export function backendRecord(startedAt: string, result: BackendResult): BackendRecord {
  return { schema: BACKEND_RECORD_SCHEMA, startedAt, ...result };
}
