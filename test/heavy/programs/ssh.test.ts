import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../support/cleanup.js';
import { check, createWorld, outline } from '../../support/verifiable-link.js';

const SSHD = '/usr/sbin/sshd';
/** As root the server wants a folder of its own, which it gets in a namespace of mounts. */
const SERVE = 'mount -t tmpfs none /run && mkdir /run/sshd && exec "$0" "$@"';
const IN_NAMESPACE = process.getuid?.() === 0 ? ['unshare', '--mount', 'sh', '-c', SERVE] : [];
const hasTool = (tool: string, ...args: string[]) => spawnSync(tool, args).error === undefined;
const CAN_SERVE =
  existsSync(SSHD) &&
  hasTool('ssh-agent', '-h') &&
  (IN_NAMESPACE.length === 0 || spawnSync('unshare', ['--mount', 'true']).status === 0);

const keygen = (...args: readonly string[]) => execFileSync('ssh-keygen', ['-q', ...args]);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}

/** A real SSH server on loopback, whose one key has a passphrase, and how to reach it. */
async function startServer() {
  const folder = await temporaryFolder();
  const [host, key, hosts] = ['host', 'key', 'hosts'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  keygen('-t', 'ed25519', '-N', '', '-f', host);
  keygen('-t', 'ed25519', '-N', 'correct horse', '-f', key);
  const port = await freePort();
  const config = `Port ${port}
ListenAddress 127.0.0.1
HostKey ${host}
AuthorizedKeysFile ${key}.pub
PermitRootLogin yes
PasswordAuthentication no
KbdInteractiveAuthentication no
StrictModes no
PidFile none
`;
  writeFileSync(join(folder, 'config'), config);
  const [program = '', ...args] = [...IN_NAMESPACE, SSHD, '-D', '-e', '-f', join(folder, 'config')];
  const server = spawn(program, args, { stdio: 'pipe' });
  onTestFinished(() => void server.kill());
  await once(server.stderr, 'data');
  writeFileSync(hosts, `[127.0.0.1]:${port} ${readFileSync(`${host}.pub`, 'utf8')}`);
  const words = ['-F', 'none', '-p', String(port), '-l', userInfo().username, '-i', key];
  const to = (known: string, ...more: readonly string[]) => [
    ...['ssh', ...words, '-o', `UserKnownHostsFile=${known}`, ...more, '127.0.0.1'],
    ...['env', `PATH=${dirname(process.execPath)}:/usr/bin:/bin`],
  ];
  return { folder, key, hosts, to };
}

/** Answers every question of the tools of OpenSSH. */
function askpass(folder: string): NodeJS.ProcessEnv {
  const program = join(folder, 'askpass');
  writeFileSync(program, "#!/bin/sh\necho 'correct horse'\n", { mode: 0o755 });
  return { SSH_ASKPASS: program, SSH_ASKPASS_REQUIRE: 'force' };
}

test.skipIf(!CAN_SERVE)(
  'what ssh would ask for is a failure that says what to do instead, and each of that works',
  async () => {
    const { folder, key, hosts, to } = await startServer();
    const world = await createWorld();
    vi.stubEnv('SSH_AUTH_SOCK', '');
    vi.stubEnv('DISPLAY', '');
    onTestFinished(() => void vi.unstubAllEnvs());
    const timeoutMs = 10_000;
    const end = async (command: readonly string[]) => {
      const verification = await check(world, {
        runVia: [{ name: 'bastion', command }],
        timeoutMs,
      });
      const { stages = [], causes = [] } = verification.links[0] ?? {};
      const [first] = outline(verification);
      return { first, ...stages[0]?.evidence, remedy: causes[0]?.remedy };
    };
    const failed = (stderr: RegExp) => ({
      first: 'preflight failed run.vantage-point',
      stderr: expect.stringMatching(stderr),
      remedy: expect.stringMatching(/no terminal to ask on: .*`ssh-add`.* SSH_ASKPASS/),
    });
    expect(await end(to(join(folder, 'none')))).toMatchObject(
      failed(/Host key verification failed/),
    );
    expect(await end(to(hosts))).toMatchObject(failed(/Permission denied \(publickey/));

    const socket = join(folder, 'agent');
    const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'pipe' });
    onTestFinished(() => void agent.kill());
    await once(agent.stdout, 'data');
    const env = { ...process.env, ...askpass(folder), SSH_AUTH_SOCK: socket };
    execFileSync('ssh-add', [key], { env, stdio: 'pipe' });
    vi.stubEnv('SSH_AUTH_SOCK', socket);
    expect((await end(to(hosts))).first).toBe('preflight passed');
    vi.stubEnv('SSH_AUTH_SOCK', '');

    const control = ['-o', `ControlPath=${join(folder, '%C')}`];
    const [ssh = '', ...words] = to(hosts, ...control, '-fNM').slice(0, -2);
    execFileSync(ssh, words, { env: { ...env, SSH_AUTH_SOCK: '' }, stdio: 'ignore' });
    onTestFinished(() => {
      const [, ...exit] = to(hosts, ...control, '-O', 'exit').slice(0, -2);
      spawnSync(ssh, exit);
    });
    expect((await end(to(hosts, ...control))).first).toBe('preflight passed');
    const asked = askpass(folder);
    for (const [name, value] of Object.entries(asked)) vi.stubEnv(name, value);
    expect((await end(to(hosts))).first).toBe('preflight passed');
  },
);
