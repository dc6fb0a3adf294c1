import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCli } from '../support/run-cli.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mirror-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const [NAME, VERSION] = ['null', '3.2.4'];
const PLATFORM = `${process.platform}_${{ x64: 'amd64', arm64: 'arm64' }[process.arch as string]}`;

/** A mirror of a provider that opens its socket where each provider does, notes how that went, and ends. */
function makeMirror(notes: string): string {
  const mirror = join(folder, 'mirror');
  const place = join(mirror, 'registry.terraform.io/hashicorp', NAME, VERSION, PLATFORM);
  mkdirSync(place, { recursive: true });
  const program = `#!${process.execPath}
const note = (text) => require('node:fs').appendFileSync(${JSON.stringify(notes)}, text + '\\n');
const server = require('node:net').createServer().once('error', ({ code }) => note(code));
const socket = require('node:path').join(process.env.TMPDIR, 'plugin4294967295');
server.listen(socket, () => { note('listens'); server.close(); });
`;
  writeFileSync(join(place, `terraform-provider-${NAME}_v${VERSION}_x5`), program, { mode: 0o755 });
  return mirror;
}

/** Rehearses a stack with the provider, from nothing changed to nothing changed. */
function rehearse(mirror: string, env: Readonly<Record<string, string>> = {}) {
  const stack = join(folder, 'tree', 'stacks', 'api');
  mkdirSync(stack, { recursive: true });
  const required_providers = { [NAME]: { source: `hashicorp/${NAME}`, version: VERSION } };
  const content = { terraform: { required_providers }, resource: { null_resource: { own: {} } } };
  writeFileSync(join(stack, 'cdk.tf.json'), JSON.stringify(content));
  const trees = ['--base', join(folder, 'tree'), '--head', join(folder, 'tree')];
  return runCli(['rehearse', ...trees, '--provider-mirror', mirror], { env });
}

test('a provider of a mirror can open its socket, and one that does not start is told as that', async () => {
  const notes = join(folder, 'notes');
  const { exit, stderr } = await rehearse(makeMirror(notes));
  expect(readFileSync(notes, 'utf8').split('\n')[0]).toBe('listens');
  expect(stderr).toMatch(
    /^secure-connectivity: the providers of api must start on this machine, got: Failed to load plugin schemas/m,
  );
  expect(exit).toBe(2);
});

test('a folder for temporary files with too long a path for that is named', async () => {
  const place = join(folder, 'n'.repeat(60));
  mkdirSync(place);
  const { exit, stderr } = await rehearse(makeMirror(join(folder, 'notes')), { TMPDIR: place });
  expect(stderr).toMatch(/`TMPDIR` must have at most \d+ bytes with `--provider-mirror`.*, got: /);
  expect(exit).toBe(2);
});
