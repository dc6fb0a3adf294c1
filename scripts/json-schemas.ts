import { mkdirSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { settingsSchema } from '../src/settings/schema.js';

/** Writes the JSON Schemas that editors and other programs read. */
export async function writeJsonSchemas(): Promise<void> {
  mkdirSync('dist/settings', { recursive: true });
  const settings = z.toJSONSchema(settingsSchema, { io: 'input' });
  writeFileSync(
    'dist/settings/settings.schema.json',
    `${JSON.stringify({ title: 'Settings of one environment', ...settings }, null, 2)}\n`,
  );
}
