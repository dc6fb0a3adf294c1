import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/cleanup.js';
import { runCli } from '../support/run-cli.js';
import { Consumer, ES_MODULES } from './support/consumer.js';

// cdktn wants a newer Node.js than the one that this may run on, and cdktf's own command an older.
const PACKAGES = [
  'node@24',
  'cdktn@0.24',
  'cdktn-cli@0.24',
  'constructs@10.7',
  'typescript@5.9',
  'tsx@4',
  '@types/node@24',
];

const consumer = new Consumer();
let folder: string;

beforeAll(async () => {
  await consumer.install(PACKAGES);
  folder = consumer.project('cdktn', ES_MODULES);
  for (const file of ['stack.ts', 'main.ts']) {
    const text = readFileSync(join(folder, file), 'utf8')
      .replaceAll("'cdktf'", "'cdktn'")
      .replaceAll("'cdktf-secure-connectivity'", "'cdktf-secure-connectivity/cdktn'");
    writeFileSync(join(folder, file), text);
  }
}, 300_000);
afterAll(() => consumer.stop());

test('the types are those of cdktn, on Node.js 24', async () => {
  const { output: version } = await consumer.run(folder, 'node', ['--version']);
  expect(version).toMatch(/^v24\./);
  const { status, output } = await consumer.run(folder, 'tsc', ['--noEmit']);
  expect(output).toBe('');
  expect(status).toBe(0);
});

test('the command of cdktn deploys, and the check passes', async () => {
  const { status, output } = await consumer.deploy(folder);
  expect(status, output).toBe(0);
  expect(output).toMatch(/reachable in [\d.]+ m?s/);
  expect(output).toContain('Apply complete!');
});

test('the stack is the one that cdktf makes', async () => {
  const deployed = consumer.synthesized(folder);
  const other = consumer.project('cdktf', {});
  await build({
    entryPoints: [join(other, 'main.ts')],
    bundle: true,
    platform: 'node',
    nodePaths: [resolve('node_modules')],
    outfile: join(other, 'app.cjs'),
    logLevel: 'error',
  });
  expect(await consumer.synth(other, 'app.cjs')).toEqual(deployed);
});

test('`synth` writes with cdktn what it writes with cdktf', async () => {
  const settings = JSON.parse(readFileSync('stacks/settings/sandbox.json', 'utf8'));
  const text = JSON.stringify({ ...settings, check: { program: 'secure-connectivity' } });
  const args = ['synth', '--settings', 'agents.json', '--out', 'tf'];
  const other = await temporaryFolder();
  for (const place of [consumer.folder, other]) writeFileSync(join(place, 'agents.json'), text);
  const made = await consumer.run(consumer.folder, 'secure-connectivity', args);
  expect(made.status, made.output).toBe(0);
  expect((await runCli(args, { cwd: other })).exit).toBe(0);
  for (const stack of ['api-access-agents', 'plugin-access-agents']) {
    const read = (place: string) =>
      JSON.parse(
        readFileSync(join(place, 'tf', 'stacks', stack, 'cdk.tf.json'), 'utf8'),
        (key, value) => (key === '//' ? undefined : value),
      );
    expect(read(consumer.folder)).toEqual(read(other));
  }
});
