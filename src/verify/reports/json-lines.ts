import { backendRecord, connectionRecord, linkRecord } from '../model/make-record.js';
import type { Verification } from '../model/verification.js';

/**
 * One line of JSON for each link, by `linkRecordSchema`, one for each connection, by
 * `connectionRecordSchema`, and one for each server of a plugin, by `backendRecordSchema`.
 */
export function jsonLinesReport({
  links,
  connections = [],
  backends = [],
  startedAt,
}: Verification): string {
  const records = [
    ...links.map((link) => linkRecord(startedAt, link)),
    ...connections.map((connection) => connectionRecord(startedAt, connection)),
    ...backends.map((backend) => backendRecord(startedAt, backend)),
  ];
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}
