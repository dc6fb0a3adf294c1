import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifyReports } from './verify-reports.js';

test.each(
  Object.entries(verifyReports()),
)('the report %s of a check is as its golden file; `npm run golden` regenerates it', (file, text) => {
  expect(text).toBe(readFileSync(join('test/golden/verify', file), 'utf8'));
});
