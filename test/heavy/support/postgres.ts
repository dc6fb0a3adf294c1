import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, untilListening } from './free-port.js';
import type { StateServer } from './state-server.js';

const ROOT = '/usr/lib/postgresql';

/** Where Debian puts the programs of its newest PostgreSQL. */
function programs(): string | undefined {
  if (!existsSync(ROOT)) return undefined;
  const [version] = readdirSync(ROOT).sort((a, b) => Number(b) - Number(a));
  const bin = join(ROOT, version ?? '', 'bin');
  return existsSync(join(bin, 'initdb')) ? bin : undefined;
}

export const HAS_POSTGRES = programs() !== undefined;

/** A PostgreSQL with a folder and a port of its own; never the system's service. */
export async function startPostgres(): Promise<StateServer> {
  const bin = programs();
  if (bin === undefined) throw new Error('postgresql is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  const user = unprivileged(folder);
  const data = join(folder, 'data');
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'terraform', '--auth=trust', '-N'], {
    ...user,
    cwd: folder,
    stdio: 'pipe',
  });
  const port = await freePort();
  const server = spawn(
    join(bin, 'postgres'),
    [
      '-D',
      data,
      '-p',
      `${port}`,
      '-k',
      folder,
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'fsync=off',
    ],
    { ...user, cwd: folder, stdio: 'ignore' },
  );
  await untilListening(port);
  return {
    state: { backend: 'pg', config: {} },
    env: {
      PG_CONN_STR: `postgres://terraform@127.0.0.1:${port}/postgres?sslmode=disable`,
    },
    stop: async () => {
      await end(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL does not run as root. */
function unprivileged(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }).trim());
  const [uid, gid] = [id('-u'), id('-g')];
  chownSync(folder, uid, gid);
  return { uid, gid };
}

async function end(server: ChildProcess): Promise<void> {
  const ended = once(server, 'exit');
  server.kill('SIGINT');
  await ended;
}
