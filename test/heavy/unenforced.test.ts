import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StackRun } from '../support/stack-run.js';

const STACK = 'plugin-access-sandbox';

let run: StackRun;

beforeAll(async () => {
  run = await StackRun.start({ everyOption: true });
  run.change('sandbox', (settings) => {
    settings.intents = 'shipped/template/intents.json';
  });
});
afterAll(() => run.stop());

interface Report {
  readonly intents: readonly { readonly name: string; readonly result: string }[];
}

async function verify() {
  const outputs = join(run.folder, 'outputs.json');
  const { status, stdout } = await run.verify(['--outputs-file', outputs, '--format', 'json']);
  const { intents } = JSON.parse(stdout) as Report;
  return { status, results: new Map(intents.map(({ name, result }) => [name, result])) };
}

test('a firewall that stores rules and drops nothing fails the deploy by its check, and is found by nothing before', async () => {
  run.sandbox.faults.set('rules-not-enforced');
  const { status, output } = await run.apply(STACK);
  expect(status, output).not.toBe(0);
  expect(output).toContain('only the service calls orders');
  expect(output).toMatch(/OPEN 1\b/);
  expect(output).toContain('failed with status 23');
  expect(output).not.toContain('is broken');
  expect(output).toMatch(/configuration\s[\s\S]{0,60}?says\s[\s\S]{0,60}?closed/);
  expect(output).not.toContain('was not read');
  const checked = await verify();
  expect([checked.status, checked.results.get('only the service calls orders')]).toEqual([
    23,
    'OPEN',
  ]);
});

test('enforced, the next deploy passes, and the door is silent', async () => {
  run.sandbox.faults.clear();
  const { status, output } = await run.apply(STACK);
  expect(status, output).toBe(0);
  const checked = await verify();
  expect([checked.status, checked.results.get('only the service calls orders')]).toEqual([
    0,
    'not shown',
  ]);
});
