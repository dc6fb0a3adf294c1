import { backendRecord, connectionRecord, linkRecord } from '../model/make-record.js';
import type { Verification } from '../model/verification.js';

/** The whole report; its schema is `verificationSchema`. It holds no secret. */
export function jsonReport(verification: Verification): string {
  return `${JSON.stringify(verification, undefined, 2)}\n`;
}

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
