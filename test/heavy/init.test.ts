import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Consumer } from './support/consumer.js';

/** Installed by the repository, for their size. */
const OWN = ['cdktf-cli', 'cdktf-secure-connectivity'];

const consumer = new Consumer();
let project: string;

beforeAll(async () => {
  const template = JSON.parse(readFileSync('template/manifest.json', 'utf8'));
  const { devDependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const versions = { ...devDependencies, ...peerDependencies };
  const names = Object.keys({ ...template.dependencies, ...template.devDependencies });
  await consumer.install(
    names.filter((name) => !OWN.includes(name)).map((name) => `${name}@${versions[name]}`),
  );
  const made = await consumer.run(consumer.folder, 'secure-connectivity', ['init', 'agents']);
  expect(made.status, made.output).toBe(0);
  project = join(consumer.folder, 'agents');
}, 300_000);
afterAll(() => consumer.stop());

test('the tests of a project pass as it was made', async () => {
  const { status, output } = await consumer.run(project, 'npm', ['test']);
  expect(status, output).toBe(0);
  expect(output).toMatch(/pass 4/);
});

test('its demo deploys both stacks and proves them', async () => {
  const { status, output } = await consumer.run(project, 'npm', ['run', 'demo']);
  expect(status, output).toBe(0);
  expect(output).toMatch(/reachable in \d+ ms/);
  expect(output.match(/Apply complete!/g)).toHaveLength(2);
});
