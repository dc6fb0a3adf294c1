import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../support/cleanup.js';
import { apart, runCli } from '../../support/run-cli.js';
import { runHere } from '../../support/run-here.js';

const words = ['--user', '--map-root-user', '--net', 'sh', '-c', 'ip link set lo up'];
const canSeal = spawnSync('unshare', words).status === 0;

/**
 * Counts connections on a loopback address of this machine, at a port below those that systems give out: a
 * sandbox has some of them in its own network.
 */
async function listenOutside() {
  const heard = { count: 0, port: 0 };
  const server = createServer((socket) => {
    heard.count += 1;
    socket.destroy();
  });
  onTestFinished(() => void server.close());
  while (!server.listening) {
    heard.port = randomInt(10_000, 30_000);
    server.listen(heard.port, '127.0.0.1');
    await once(server, 'listening').catch(() => undefined);
  }
  return heard;
}

const dial = (port: number) => [
  process.execPath,
  '-e',
  `const s = require('net').connect(${port}, '127.0.0.1');
   s.on('error', (e) => console.log(e.code, process.getuid()))
    .on('connect', () => { console.log('open'); s.destroy(); })
    .on('close', () => process.exit(0));`,
];

test.skipIf(!canSeal)(
  'a sealed sandbox reaches no listener of this machine, as the same user',
  async () => {
    const heard = await listenOutside();
    const state = ['--state', join(await temporaryFolder(), 'sandbox')];
    const sealed = await runCli(['sandbox', '--seal', ...state, '--', ...dial(heard.port)]);
    expect(sealed.stdout).toBe(`ECONNREFUSED ${process.getuid?.()}\n`);
    expect(heard.count).toBe(0);
    const open = await runCli(['sandbox', ...state, '--', ...dial(heard.port)]);
    expect([open.stdout, heard.count]).toEqual(['open\n', 1]);
  },
);

test('a sealed sandbox needs a command', async () => {
  const { exit, stderr } = await runHere(['sandbox', '--seal']);
  expect([exit, stderr]).toEqual([
    2,
    'secure-connectivity: `--seal` must be given with a COMMAND: other shells cannot call into a sealed sandbox\n',
  ]);
});

test.skipIf(!canSeal)('a rehearsal says that its network is none', async () => {
  const tree = await temporaryFolder();
  mkdirSync(join(tree, 'stacks', 'api'), { recursive: true });
  const json = { output: { a: { value: 'x' } } };
  writeFileSync(join(tree, 'stacks', 'api', 'cdk.tf.json'), JSON.stringify(json));
  const args = ['--base', tree, '--head', tree, '--require-seal', '--format', 'json'];
  const { exit, stdout, stderr } = await runCli(['rehearse', ...args]);
  expect([exit, stderr.replaceAll(/^rehearse: .*\n/gm, '')]).toEqual([0, '']);
  expect(JSON.parse(stdout).network).toBe('none');
});

test('a rehearsal that must be sealed is refused where it cannot be', async () => {
  const tree = await temporaryFolder();
  const args = ['rehearse', '--base', tree, '--head', tree, '--require-seal'];
  // The process believes that it was led out of this namespace, and sees that it is still in it.
  const { exit, stderr } = await runHere(args, {
    env: { SECURE_CONNECTIVITY_SEAL: readlinkSync('/proc/self/ns/net') },
  });
  expect(exit).toBe(2);
  expect(stderr).toMatch(/^secure-connectivity: `--require-seal` must be given where .*not sealed/);
});

const offline = 'ip link set lo up && ip link add gone type bridge';
const canBeOffline = spawnSync('unshare', [...words.slice(0, 3), 'sh', '-c', offline]).status === 0;

test.skipIf(!canBeOffline)(
  'a machine whose only interface is down is not sealed by that',
  async () => {
    const state = join(await temporaryFolder(), 'sandbox');
    const shown = 'readlink /proc/self/ns/net';
    const sealed = `"$0" dist/cli/main.js sandbox --seal --state ${state} -- ${shown}`;
    const script = `${offline} && ${shown} && ${sealed}`;
    const args = [...words.slice(0, 3), 'sh', '-c', script, process.execPath];
    const { stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8' });
    const [outside, inside] = stdout.trim().split('\n');
    expect([apart(stderr).stderr, inside]).toEqual(['', expect.stringMatching(/^net:/)]);
    expect(inside).not.toBe(outside);
  },
);
