import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../src/sandbox/listeners/listen.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { runHere } from '../../support/run-here.js';
import {
  buildBalancer,
  buildNetwork,
  buildService,
  CONNECTION,
  GROUP,
  rule,
  sandboxForTest,
  temporaryFolder,
} from '../support.js';

/** The command as a person runs it beside a sandbox, with its state folder as a flag. */
function beside({ files }: Sandbox, ...args: string[]) {
  return runHere(['sandbox', ...args, '--state', files.folder]);
}

/** The command as the sandbox's own command runs it, configured by the environment. */
function inside({ env }: Sandbox, ...args: string[]) {
  return runHere(['sandbox', ...args], { env });
}

describe('the way of a private plugin', () => {
  test('connect, accept, call, cut', async () => {
    const sandbox = await sandboxForTest();
    const service = buildService(sandbox.cloud, buildBalancer(sandbox.cloud).balancer);

    const early = await beside(sandbox, 'call-plugin', service, '--user-id', 'user-7');
    expect(early.exit).toBe(18);
    expect(early.stderr).toContain('has no private connection of the service');

    const connect = await beside(sandbox, 'connect-plugin', service);
    expect(connect).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^ep-[0-9a-f]{16}\n$/),
    });
    expect(connect.stderr).toContain('private connection: PendingAcceptance\nhint: add "ep-');

    const pending = await inside(sandbox, 'call-plugin', service, '--user-id', 'user-7');
    expect(pending.exit).toBe(18);
    expect(pending.stderr).toContain('is PendingAcceptance, not Connected');

    const accepted = { ServiceId: service, EndpointId: connect.stdout.trim() };
    sandbox.cloud.startCreate(CONNECTION, accepted, '');
    const called = await inside(sandbox, 'call-plugin', service, '--user-id', 'user-7');
    expect(called).toMatchObject({
      exit: 0,
      stdout: '{"method":"GET","path":"/","user_id":"user-7"}\n',
      stderr: `call: 10.20.1.10:8080 (connected to 127.0.0.1:${sandbox.ports.backend}): HTTP 200\n`,
    });

    sandbox.cloud.startDelete(CONNECTION, `${service}|${accepted.EndpointId}`, '');
    const cut = await inside(sandbox, 'call-plugin', service, '--user-id', 'user-7');
    expect(cut).toMatchObject({ exit: 18, stdout: '' });
    expect(cut.stderr).toContain('is Rejected, not Connected');
  });

  test("is refused in the cloud's words", async () => {
    const sandbox = await sandboxForTest();
    const { exit, stdout, stderr } = await inside(sandbox, 'connect-plugin', 'epsvc-gone');
    expect({ exit, stdout }).toEqual({ exit: 18, stdout: '' });
    expect(stderr).toContain('InvalidServiceId.NotFound: `ServiceId` names nothing that exists');
  });
});

test('a fixed-IP plugin is called from an address that is let in, and not from another', async () => {
  const sandbox = await sandboxForTest();
  const { vpc } = buildNetwork(sandbox.cloud);
  const rules = [rule({ CidrIp: '198.51.100.11/32', PortStart: 8443, PortEnd: 8443 })];
  sandbox.cloud.create(GROUP, { VpcId: vpc, IngressPermissions: rules });
  const from = (address: string) =>
    inside(sandbox, 'call-plugin', '--from', address, '--port', '8443', '--user-id', 'user-7');
  expect(await from('198.51.100.11')).toMatchObject({ exit: 0 });
  const refused = await from('198.51.100.14');
  expect(refused.exit).toBe(18);
  expect(refused.stderr).toContain('no ingress rule lets the call from 198.51.100.14');
});

describe('wrong usage', () => {
  test.each([
    [['call-plugin', '--user-id', 'u'], '`SERVICE_ID` or `--from` must be given'],
    [['call-plugin', 'epsvc-1', '--from', '198.51.100.11', '--user-id', 'u'], 'and not both'],
    [['call-plugin', 'epsvc-1'], "required option '--user-id <id>' not specified"],
    [
      ['call-plugin', '--from', 'here', '--user-id', 'u'],
      '`--from` is not an IPv4 or IPv6 address',
    ],
    [['call-plugin', 'epsvc-1', '--port', '0', '--user-id', 'u'], '`--port` must be 1 to 65535'],
    [['connect-plugin'], "missing required argument 'service-id'"],
  ])('%j is one clear line and status 2', async (args, message) => {
    const { exit, stderr } = await runHere(['sandbox', ...args]);
    expect(exit).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('without a running sandbox it says how to get one', async () => {
    const args = ['sandbox', 'connect-plugin', 'epsvc-1', '--state', temporaryFolder()];
    const { exit, stderr } = await runHere(args);
    expect(exit).toBe(2);
    expect(stderr).toContain('start one with `secure-connectivity sandbox`');
  });
});

test('the word that a killed sandbox left leads nowhere', async () => {
  let calls = 0;
  const other = await listen(
    createServer((_, response) => {
      calls += 1;
      response.end('{}');
    }),
  );
  onTestFinished(() => other.stop());
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'console.port'), `${other.port} 1-0\n`);
  const args = ['sandbox', 'connect-plugin', 'epsvc-1'];
  const named = await runHere([...args, '--state', folder]);
  const inherited = await runHere(args, {
    env: { SECURE_CONNECTIVITY_SANDBOX_CONSOLE: join(folder, 'console.port') },
  });
  for (const { exit, stderr } of [named, inherited]) {
    expect(exit).toBe(2);
    expect(stderr).toContain(`no sandbox runs at ${folder}`);
  }
  expect(calls).toBe(0);
});

test('a web page cannot make the service call a backend', async () => {
  const sandbox = await sandboxForTest();
  const url = `http://127.0.0.1:${sandbox.ports.console}/plugin-calls`;
  const body = JSON.stringify({ from: '198.51.100.11', userId: 'u', backend: '127.0.0.1:22' });
  const asForm = await fetch(url, { method: 'POST', body });
  const headers = { 'content-type': 'application/json', origin: 'https://page.example' };
  const asScript = await fetch(url, { method: 'POST', body, headers });
  expect([asForm.status, asScript.status]).toEqual([403, 403]);
  const preflight = await fetch(url, { method: 'OPTIONS', headers });
  expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
});

test('a stopped sandbox leaves no word of its console', async () => {
  const sandbox = await sandboxForTest();
  expect(existsSync(sandbox.files.console)).toBe(true);
  await sandbox.stop();
  expect(existsSync(sandbox.files.console)).toBe(false);
});
