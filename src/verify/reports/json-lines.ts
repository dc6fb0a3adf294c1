import { connectionRecord } from '../model/connection-record.js';
import { linkRecord } from '../model/link-record.js';
import type { Verification } from '../model/verification.js';

/**
 * One line of JSON for each link, by `linkRecordSchema`, and one for each connection, by
 * `connectionRecordSchema`.
 */
export function jsonLinesReport({ links, connections = [], startedAt }: Verification): string {
  const records = [
    ...links.map((link) => linkRecord(startedAt, link)),
    ...connections.map((connection) => connectionRecord(startedAt, connection)),
  ];
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}
