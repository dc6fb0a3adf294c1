import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ADDRESS, type World } from '../../support/verifiable-link.js';

/** Set by whoever made the namespace: the path of sshd, or nothing. */
export const SSHD = process.env.SSHD ?? '';

const NEAR = '10.9.9.1/30';
const FAR = '10.9.9.2';
const SSH_PORT = 2222;

/** The endpoint on its own address: what comes there goes to the world's service over a Unix socket. */
const ENDPOINT = `
const { connect, createServer } = require('node:net');
const [, address, socket] = process.argv;
createServer((from) => {
  const to = connect(socket);
  for (const one of [from, to]) one.on('error', () => { from.destroy(); to.destroy(); });
  from.pipe(to).pipe(from);
}).listen(443, address, () => console.log('up'));
`;

/** The user without whom sshd does not start, and the folder that it wants. */
const ENTER = `
set -e
ip link set lo up
ip address add ${ADDRESS}/32 dev lo
mount -t tmpfs none /run
mkdir /run/sshd
{ cat /etc/passwd; echo 'sshd:x:65533:65534::/run/sshd:/bin/false'; } > "$FAR/passwd"
mount --bind "$FAR/passwd" /etc/passwd
exec node -e "$ENDPOINT" ${ADDRESS} "$FAR/socket"
`;

/** Another host, whose network alone has the endpoint. */
export interface FarHost {
  /** The command that runs what is behind it there. */
  readonly enter: readonly string[];
  /** Starts sshd there. @returns the command that leads there by it */
  readonly startSshd: () => Promise<readonly string[]>;
}

export async function startFarHost({ folder, service }: World): Promise<FarHost> {
  const far = join(folder, 'far');
  mkdirSync(far);
  const relay = createServer((from) => {
    const to = connect(service.port, '127.0.0.1');
    for (const one of [from, to]) one.on('error', () => undefined);
    from.pipe(to).pipe(from);
  });
  relay.listen(join(far, 'socket'));
  onTestFinished(() => {
    relay.close();
  });
  const env = { ...process.env, FAR: far, ENDPOINT };
  const host = started(spawn('unshare', ['--net', '--mount', 'sh', '-c', ENTER], { env }));
  await once(host.stdout ?? host, 'data');
  const enter = ['nsenter', `--net=/proc/${host.pid}/ns/net`];
  return { enter, startSshd: () => startSshd(far, host.pid ?? 0) };
}

/**
 * Starts the endpoint behind a router that loses every packet above a size in one direction: a locked MTU of
 * its route, and no way for the ICMP that would say so.
 */
export async function startBehindHole(
  world: World,
  sizes: {
    readonly toService?: number;
    readonly toClient?: number;
  },
): Promise<void> {
  const { enter } = await startFarHost(world);
  const wait = 'echo up; exec sleep infinity';
  const router = started(spawn('unshare', ['--net', 'sh', '-c', wait]));
  await once(router.stdout ?? router, 'data');
  const ip = (words: string) => execFileSync('ip', words.split(' '));
  const at = (pid: string, words: string) =>
    execFileSync('nsenter', [`--net=/proc/${pid}/ns/net`, ...words.split(' ')]);
  const [there, between] = [/\d+/.exec(`${enter}`)?.[0] ?? '', `${router.pid}`];
  ip(`link add near type veth peer name r1 netns ${between}`);
  at(between, `ip link add r2 type veth peer name far netns ${there}`);
  ip('address add 10.9.8.1/30 dev near');
  ip('link set near up');
  for (const [name, address] of [
    ['r1', '10.9.8.2'],
    ['r2', '10.9.8.5'],
  ]) {
    at(between, `ip address add ${address}/30 dev ${name}`);
    at(between, `ip link set ${name} up`);
  }
  at(there, 'ip address add 10.9.8.6/30 dev far');
  at(there, 'ip link set far up');
  at(there, 'ip route add 10.9.8.0/30 via 10.9.8.5');
  ip(`route add ${ADDRESS} via 10.9.8.2`);
  at(between, 'sysctl -qw net.ipv4.ip_forward=1');
  const lock = (size?: number) => (size === undefined ? '' : ` mtu lock ${size}`);
  at(between, `ip route add ${ADDRESS} via 10.9.8.6${lock(sizes.toService)}`);
  at(between, `ip route change 10.9.8.0/30 dev r1${lock(sizes.toClient)}`);
  at(between, 'ip rule add iif lo blackhole');
}

async function startSshd(folder: string, pid: number): Promise<readonly string[]> {
  const ip = (...args: string[]) => execFileSync('ip', args);
  const there = ['nsenter', `--net=/proc/${pid}/ns/net`, `--mount=/proc/${pid}/ns/mnt`];
  ip('link', 'add', 'near', 'type', 'veth', 'peer', 'name', 'far', 'netns', `${pid}`);
  ip('address', 'add', NEAR, 'dev', 'near');
  ip('link', 'set', 'near', 'up');
  const [program = '', ...words] = there;
  execFileSync(program, [...words, 'ip', 'address', 'add', `${FAR}/30`, 'dev', 'far']);
  execFileSync(program, [...words, 'ip', 'link', 'set', 'far', 'up']);
  const [hostKey, key] = ['host_key', 'client_key'].map((name) => join(folder, name));
  for (const file of [hostKey, key]) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', `${file}`]);
  }
  writeFileSync(
    join(folder, 'sshd_config'),
    [
      ...[`ListenAddress ${FAR}:${SSH_PORT}`, `HostKey ${hostKey}`, 'PidFile none', 'UsePAM no'],
      ...[`AuthorizedKeysFile ${key}.pub`, 'StrictModes no', 'PermitRootLogin prohibit-password'],
      `SetEnv PATH=${dirname(process.execPath)}:/usr/bin:/bin`,
      '',
    ].join('\n'),
  );
  const sshd = started(
    spawn(program, [...words, SSHD, '-D', '-e', '-f', join(folder, 'sshd_config')]),
  );
  await once(sshd.stderr ?? sshd, 'data');
  const known = join(folder, 'known_hosts');
  const options = [`UserKnownHostsFile=${known}`, 'StrictHostKeyChecking=accept-new'];
  return [
    ...['ssh', '-i', `${key}`, '-p', `${SSH_PORT}`, '-o', 'BatchMode=yes', '-F', '/dev/null'],
    ...options.flatMap((option) => ['-o', option]),
    `root@${FAR}`,
  ];
}

/** Ends it with the test. */
function started(child: ChildProcess): ChildProcess {
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}
