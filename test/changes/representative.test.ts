import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENDPOINT, FIXED_IP_ACCESS, NETWORK, TAGS } from './api-rows.js';
import { ChangeRun } from './change-run.js';
import { BALANCER, CONNECTION, FIXED_IP_PLUGIN } from './plugin-rows.js';
import { runRow } from './run-row.js';

/** One of each kind; `npm run test:heavy` runs the whole table. */
const NAMES = [
  'all tags removed',
  'a project given',
  'a zone removed',
  'another CIDR for a subnet',
  'a subnet made smaller',
  'a new network given up for an existing one by a protected endpoint',
  'another API host',
  'port and resolver changed at once',
  'one of two own addresses removed',
  'the balancer in another zone, before a connection',
  'instances in place of addresses',
  'another payer while connected',
  'addresses in another order',
];

const rows = [
  ...TAGS,
  ...NETWORK,
  ...ENDPOINT,
  ...FIXED_IP_ACCESS,
  ...BALANCER,
  ...FIXED_IP_PLUGIN,
  ...CONNECTION,
];

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
