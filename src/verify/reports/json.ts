import { spelledInJson } from '../../files/escape.js';
import { jsonParts } from '../../files/text-parts.js';
import type {
  BackendRecord,
  BackendResult,
  ClosedRecord,
  ClosedResult,
  ConnectionRecord,
  ConnectionResult,
  LinkRecord,
  LinkResult,
} from '../model/results.js';
import type { Verification } from '../model/verification.js';
import {
  BACKEND_RECORD_SCHEMA,
  CLOSED_RECORD_SCHEMA,
  CONNECTION_RECORD_SCHEMA,
  LINK_RECORD_SCHEMA,
} from '../model/verification-names.js';

// Apart from the schemas: who writes records need not load what reads them.

/** The whole report; its schema is `verificationSchema`. It holds no secret. */
export function jsonReport(verification: Verification): string {
  return [...jsonParts(verification)].join('');
}

/**
 * One line of JSON for each link, by `linkRecordSchema`, one for each connection, by
 * `connectionRecordSchema`, one for each server of a plugin, by `backendRecordSchema`, and one for each link that a
 * vantage point must not reach, by `closedRecordSchema`.
 */
export function jsonLinesReport({
  links,
  connections = [],
  backends = [],
  expectedClosed = [],
  startedAt,
}: Verification): string {
  const records = [
    ...links.map((link) => linkRecord(startedAt, link)),
    ...connections.map((connection) => connectionRecord(startedAt, connection)),
    ...backends.map((backend) => backendRecord(startedAt, backend)),
    ...expectedClosed.map((closed) => closedRecord(startedAt, closed)),
  ];
  return records.map((record) => `${spelledInJson(JSON.stringify(record))}\n`).join('');
}

export function linkRecord(startedAt: string, result: LinkResult): LinkRecord {
  return { schema: LINK_RECORD_SCHEMA, startedAt, ...result };
}

export function connectionRecord(startedAt: string, result: ConnectionResult): ConnectionRecord {
  return { schema: CONNECTION_RECORD_SCHEMA, startedAt, ...result };
}

export function backendRecord(startedAt: string, result: BackendResult): BackendRecord {
  return { schema: BACKEND_RECORD_SCHEMA, startedAt, ...result };
}

export function closedRecord(startedAt: string, result: ClosedResult): ClosedRecord {
  return { schema: CLOSED_RECORD_SCHEMA, startedAt, ...result };
}
