import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectNamed, expectNoSecret, inTwoZones, LINK_FAULTS } from '../support/link-faults.js';
import { StackRun } from '../support/stack-run.js';

let run: StackRun;
const printed: string[] = [];

beforeAll(async () => {
  run = await StackRun.start();
  inTwoZones(run);
  const { status, output } = await run.apply('api-access-sandbox');
  expect(status, output).toBe(0);
});
afterAll(() => run.stop());

async function verify(...args: string[]) {
  const result = await run.verify(['--outputs-file', join(run.folder, 'outputs.json'), ...args]);
  printed.push(result.output);
  return result;
}

test.each(LINK_FAULTS)('the check by hand names $code when $about', (fault) =>
  expectNamed(run, fault, verify));

test('no secret is in anything printed under a fault', () => {
  expect(printed).toHaveLength(LINK_FAULTS.length);
  expectNoSecret(run, printed);
});
