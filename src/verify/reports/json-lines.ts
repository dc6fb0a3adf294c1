import { linkRecord } from '../many/link-record.js';
import type { Verification } from '../verification.js';

/** One line of JSON for each link; its schema is `linkRecordSchema`. */
export function jsonLinesReport({ links, startedAt }: Verification): string {
  return links.map((link) => `${JSON.stringify(linkRecord(startedAt, link))}\n`).join('');
}
