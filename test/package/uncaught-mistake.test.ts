import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Runs an app as a user does, who has only the package. */
function run(app: string, args: readonly string[] = ['--input-type=module']) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...args, '-e', app], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, CONNECTIVITY_ENV: 'nowhere' },
  });
  return { status, stdout, stderr };
}

const CDKTF = "import { App, TerraformStack } from 'cdktf';";
const OWN = "import * as own from 'cdktf-secure-connectivity';";
const SETTINGS = "import { loadSettings } from 'cdktf-secure-connectivity/settings';";
const WRONG = `
  const stack = new TerraformStack(new App(), 'stack');
  new own.CloudProvider(stack, 'cloud', { region: 'cn-beijing' });
  new own.PrivateNetwork(stack, 'network', {
    network: { name: 'n', cidr: '10.0.0/16', subnets: { 'cn-beijing-a': '10.0.1.0/24' } },
  });
  stack.node.root.synth();`;
const LOAD = "loadSettings('stacks/settings');";

const NETWORK =
  /^usage\.invalid: stack\/network is not valid:\n {2}`cidr` is not an IPv4 or IPv6 address, .*\n$/;
const UNSET =
  /^usage\.invalid: `CONNECTIVITY_ENV` must name a settings file, got: "nowhere"; .*\n$/;

test.each([
  ['at once', `${CDKTF}${OWN}${WRONG}`, NETWORK],
  ['later', `${CDKTF}${OWN}setTimeout(() => {${WRONG}}, 1);`, NETWORK],
  ['in a promise', `${CDKTF}${OWN}void (async () => {${WRONG}})();`, NETWORK],
  ['in settings', `${SETTINGS}${LOAD}`, UNSET],
])('a mistake of an app that nothing catches, %s, is one sentence', (_, app, sentence) => {
  expect(run(app)).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(sentence) });
});

test('so it is in CommonJS', () => {
  const app = `require('cdktf-secure-connectivity/settings').${LOAD}`;
  const seen = run(app, []);
  expect(seen).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(UNSET) });
});

test('another error is as Node.js shows it', () => {
  const { status, stderr } = run(`${SETTINGS} try { ${LOAD} } catch {} throw new Error('other');`);
  expect([status, stderr]).toEqual([1, expect.stringMatching(/Error: other\n +at file:.*/)]);
});

test.each([
  "process.on('uncaughtException', (error) => console.log(error.code));",
  "process.on('unhandledRejection', (error) => console.log(error.code));",
  'process.setUncaughtExceptionCaptureCallback((error) => console.log(error.code));',
])('whoever listens to such errors gets them: %s', (listen) => {
  const app = `${SETTINGS} ${listen} void (async () => { ${LOAD} })();`;
  expect(run(app)).toEqual({ status: 0, stdout: 'usage.invalid\n', stderr: '' });
});

test('so does whoever starts a worker', () => {
  const inner = JSON.stringify(`require('cdktf-secure-connectivity/settings').${LOAD}`);
  const app = `
    import { Worker } from 'node:worker_threads';
    new Worker(${inner}, { eval: true, execArgv: [] }).on('error', (error) => console.log(error.message));`;
  expect(run(app)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/must name/),
    stderr: '',
  });
});
