import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { fileURLToPath } from 'node:url';
import { usageError } from '../../codes/connectivity-error.js';
import { safeText } from '../../codes/redact.js';
import { canBind } from '../../terraform/program.js';
import { runCommand } from './run-command.js';

/** Names the namespace that a process was led out of, into one of its own. */
const STARTED = 'SECURE_CONNECTIVITY_SEAL';

/** The exit status of the sealed process, or how this one is connected. */
type Seal = { readonly status: number } | { readonly network: string };

/** The network of a process that has no interface but loopback. */
const NO_NETWORK = 'none';

/**
 * Runs this program again where no packet can leave: in a network namespace with loopback and nothing
 * else, as the same user. A process that is there already goes on.
 *
 * @param args the command and its arguments
 */
export async function seal(args: readonly string[]): Promise<Seal> {
  if (isSealed()) return { network: NO_NETWORK };
  const main = fileURLToPath(new URL('main.js', import.meta.url));
  const why = process.env[STARTED] ? 'the namespace has other interfaces' : findHindrance(main);
  if (why !== undefined) return { network: `not sealed (${why})` };
  const program = [process.execPath, ...process.execArgv, main, ...args];
  const env = { ...process.env, [STARTED]: networkNamespace() };
  return { status: await runCommand([...namespaceWords(), ...program], env) };
}

/** @throws ConnectivityError `usage.invalid` naming the flag, where this process is not sealed */
export function requireSealed(flag: string, network: string): void {
  if (network === NO_NETWORK) return;
  throw usageError(
    `\`${flag}\` must be given where this machine makes a network namespace, got: ${network}; see docs/ci.md`,
  );
}

/**
 * Tells whether no packet can leave. An interface that is down now, as of a laptop that is offline, may
 * be up in a moment; in a namespace that was made for this process none can.
 */
function isSealed(): boolean {
  const left = process.env[STARTED];
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  if (all.some(({ internal }) => !internal)) return false;
  return (left !== undefined && left !== networkNamespace()) || !hasInterfaces();
}

/** Tells whether there is any interface but loopback, up or down. */
function hasInterfaces(): boolean {
  const lines = readSystem(() => readFileSync('/proc/net/dev', 'utf8'))
    .split('\n')
    .slice(2);
  return (
    lines.filter((line) => line !== '').some((line) => !/^ *lo:/.test(line)) || lines.length === 0
  );
}

function networkNamespace(): string {
  return readSystem(() => readlinkSync('/proc/self/ns/net'));
}

function readSystem(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

/** Explains why no namespace can be created; undefined if one can. */
function findHindrance(main: string): string | undefined {
  if (process.platform !== 'linux') return 'only Linux has network namespaces';
  if (!existsSync(main)) return 'this program runs from its sources';
  const [program = '', ...words] = [...namespaceWords(), 'true'];
  const { status, error, stderr } = spawnSync(program, words, {
    encoding: 'utf8',
    timeout: 10_000,
    env: { PATH: process.env.PATH },
  });
  if (status === 0) return undefined;
  const isMissing = (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
  return isMissing ? '`unshare` is not installed' : safeText(stderr || 'no namespace can be made');
}

const LOOPBACK_UP = 'PATH="$PATH:/usr/sbin:/sbin" ip link set lo up';

/**
 * The words before a command that lead it there. Only the user of a namespace may set up its loopback;
 * a second user namespace gives the command its own user back.
 */
function namespaceWords(): string[] {
  const [user, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  // Bound after the last change of credentials, which would undo it.
  const bound = canBind() ? 'setpriv --pdeathsig TERM -- ' : '';
  const back = `exec unshare --user --map-user=${user} --map-group=${group} -- ${bound}"$@"`;
  return [
    ...['unshare', '--user', '--map-root-user', '--net', '--'],
    ...['sh', '-c', `${LOOPBACK_UP} && ${back}`, 'sh'],
  ];
}
