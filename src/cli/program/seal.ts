import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { fileURLToPath } from 'node:url';
import { safeText } from '../../codes/redact.js';
import { canBind } from '../../terraform/bound-to-parent.js';
import { runCommand } from './run-command.js';

/** Tells a process that it was started in a network namespace of its own, so that it starts no other. */
const STARTED = 'SECURE_CONNECTIVITY_SEAL';

/** The exit status of the sealed process, or how this one is connected. */
export type Seal = { readonly status: number } | { readonly network: string };

/** The network of a process that has no interface but loopback. */
export const NO_NETWORK = 'none';

/**
 * Runs this program again where no packet can leave: in a network namespace with loopback and nothing
 * else, as the same user. A process that is there already goes on.
 *
 * @param args the command and its arguments
 */
export async function seal(args: readonly string[]): Promise<Seal> {
  if (hasLoopbackOnly()) return { network: NO_NETWORK };
  const main = fileURLToPath(new URL('main.js', import.meta.url));
  const why = process.env[STARTED] ? 'the namespace has other interfaces' : findHindrance(main);
  if (why !== undefined) return { network: `not sealed (${why})` };
  const program = [process.execPath, ...process.execArgv, main, ...args];
  const env = { ...process.env, [STARTED]: '1' };
  return { status: await runCommand([...namespaceWords(), ...program], env) };
}

function hasLoopbackOnly(): boolean {
  return Object.values(networkInterfaces()).every((all) => all?.every(({ internal }) => internal));
}

/** Explains why no namespace can be created; undefined if one can. */
function findHindrance(main: string): string | undefined {
  if (process.platform !== 'linux') return 'only Linux has network namespaces';
  if (!existsSync(main)) return 'this program runs from its sources';
  const [program = '', ...words] = [...namespaceWords(), 'true'];
  const { status, error, stderr } = spawnSync(program, words, {
    encoding: 'utf8',
    timeout: 10_000,
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
