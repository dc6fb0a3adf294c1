import { afterAll, beforeAll, expect, test } from 'vitest';
import { NETWORK } from './api-rows.js';
import { ChangeRun } from './change-run.js';
import { CONNECTION } from './plugin-rows.js';
import { runRow } from './run-row.js';

/** Two of them; `npm run test:heavy` runs the whole table. */
const NAMES = ['a subnet made smaller', 'another payer while connected'];

const rows = [...NETWORK, ...CONNECTION];

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
