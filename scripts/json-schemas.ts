import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { intentsSchema } from '../src/intents/intents-file.js';
import { intentsReportSchema } from '../src/reach/intents/report.js';
import { reachSchema } from '../src/reach/report-schema.js';
import { rehearsalSchema } from '../src/rehearse/report-schema.js';
import { reviewReportSchema } from '../src/review/report-schema.js';
import { settingsSchema } from '../src/settings/schema.js';
import {
  backendRecordSchema,
  closedRecordSchema,
  connectionRecordSchema,
  linkRecordSchema,
} from '../src/verify/model/results.js';
import { verificationSchema } from '../src/verify/model/verification.js';
import { targetSchema } from '../src/verify/run/many/targets.js';

export const SCHEMAS = [
  ['settings/settings', 'Settings of one environment', settingsSchema],
  ['intents/intents', 'Who may reach whom, and who may not', intentsSchema],
  ['verify/verification', 'Report of a check', verificationSchema],
  ['verify/link-verification', 'One line of a report as JSON lines', linkRecordSchema],
  ['verify/connection', 'One line of a report as JSON lines: a connection', connectionRecordSchema],
  ['verify/backend', 'One line of a report as JSON lines: a server', backendRecordSchema],
  [
    'verify/expected-closed',
    'One line of a report as JSON lines: a link that must be closed',
    closedRecordSchema,
  ],
  ['review/review', 'Report of a review', reviewReportSchema],
  ['reach/reach', 'Who may reach what', reachSchema],
  ['reach/intents-report', 'All intents, and where each was proved', intentsReportSchema],
  ['rehearse/rehearsal', 'Report of a rehearsal', rehearsalSchema],
  ['verify/target', 'One line of a file of targets', targetSchema],
] as const;

/** Writes the JSON Schemas that editors and other programs read. */
export async function writeJsonSchemas(): Promise<void> {
  for (const [name, title, schema] of SCHEMAS) {
    const file = `dist/${name}.schema.json`;
    mkdirSync(dirname(file), { recursive: true });
    const json = { title, ...z.toJSONSchema(schema, { io: 'input' }) };
    writeFileSync(file, `${JSON.stringify(json, null, 2)}\n`);
  }
}
