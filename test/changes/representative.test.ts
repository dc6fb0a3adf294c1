import { afterAll, beforeAll, expect, test } from 'vitest';
import { FIXED_IP_ACCESS, NETWORK, TAGS } from './api-rows.js';
import { ChangeRun } from './change-run.js';
import { CONNECTION, FIXED_IP_PLUGIN } from './plugin-rows.js';
import { runRow } from './run-row.js';

/** A few of them; `npm run test:heavy` runs the whole table. */
const NAMES = [
  'all tags removed',
  'a subnet made smaller',
  'port and resolver changed at once',
  'another payer while connected',
  'addresses in another order',
];

const rows = [...TAGS, ...NETWORK, ...FIXED_IP_ACCESS, ...FIXED_IP_PLUGIN, ...CONNECTION];

let run: ChangeRun;
beforeAll(async () => {
  run = await ChangeRun.start();
});
afterAll(() => run.stop());

test.each(NAMES)('%s', async (name) => {
  const row = rows.find((one) => one.name === name);
  expect(row, 'a row of the table').toBeDefined();
  if (row) await runRow(run, row);
});
