import { afterAll, beforeAll, describe, test } from 'vitest';
import { ENDPOINT, FIXED_IP_ACCESS, NETWORK, TAGS } from '../changes/api-rows.js';
import { ChangeRun } from '../changes/change-run.js';
import { CHECK, KEY_PAIRS, ROLE } from '../changes/deployment-rows.js';
import { BALANCER, CONNECTION, FIXED_IP_PLUGIN } from '../changes/plugin-rows.js';
import { runRow } from '../changes/run-row.js';

let run: ChangeRun;
beforeAll(async () => {
  run = await ChangeRun.start();
});
afterAll(() => run.stop());

describe.each([
  ['tags and project', TAGS],
  ['the role', ROLE],
  ['the check', CHECK],
  ['key pairs', KEY_PAIRS],
  ['the network', NETWORK],
  ['the endpoint', ENDPOINT],
  ['fixed-IP access', FIXED_IP_ACCESS],
  ['the load balancer', BALANCER],
  ['the private plugin', CONNECTION],
  ['fixed-IP calls', FIXED_IP_PLUGIN],
])('%s', (_, rows) => {
  test.each(rows)('$name', (row) => runRow(run, row));
});
