import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StackRun } from '../support/stack-run.js';

const STACK = 'api-access-sandbox';

let run: StackRun;

beforeAll(async () => {
  run = await StackRun.start();
  run.change('sandbox', (settings) => {
    Object.assign(settings.serviceEndpoint as object, { scheme: 'http' });
  });
});
afterAll(async () => {
  await run.stop();
});

const outputs = () => ['--outputs-file', join(run.folder, 'outputs.json')];

test('plain http reaches the service over the private path, and the report says that it is unencrypted', async () => {
  const { status, output } = await run.apply(STACK);
  expect(output).toContain('reachable');
  expect(output).toMatch(/travel unencrypted/);
  expect(status, output).toBe(0);
});

test('nothing is sent unencrypted to an address outside the declared networks', async () => {
  run.sandbox.faults.set('address-public');
  try {
    const { status, stdout } = await run.verify([
      ...outputs(),
      '--format',
      'json',
      '--timeout',
      '3s',
    ]);
    expect(status).toBe(11);
    expect(stdout).toContain('address.');
  } finally {
    run.sandbox.faults.clear();
  }
});

test('destroy leaves the cloud empty', async () => {
  const { status, output } = await run.destroy(STACK);
  expect(status, output).toBe(0);
  expect(run.sandbox.resources()).toEqual([]);
});
