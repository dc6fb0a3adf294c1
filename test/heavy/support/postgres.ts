import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StateServer } from '../../support/state-server.js';
import { freePort, untilListening } from './free-port.js';

const ROOT = '/usr/lib/postgresql';

/** The folder in which Debian puts the programs of its newest PostgreSQL. */
function programs(): string | undefined {
  if (!existsSync(ROOT)) return undefined;
  const [version] = readdirSync(ROOT).sort((a, b) => Number(b) - Number(a));
  const bin = join(ROOT, version ?? '', 'bin');
  return existsSync(join(bin, 'initdb')) ? bin : undefined;
}

export const HAS_POSTGRES = programs() !== undefined;

export interface Postgres extends StateServer {
  /** Answers one value. */
  query(sql: string): string;
  /** Runs statements in a transaction that stays open until it is committed. */
  begin(sql: string): Promise<{ commit(): Promise<void> }>;
}

/** A PostgreSQL with a folder and a port of its own; never the system's service. */
export async function startPostgres(): Promise<Postgres> {
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
  const url = `postgres://terraform@127.0.0.1:${port}/postgres?sslmode=disable`;
  const psql = join(bin, 'psql');
  return {
    state: { backend: 'pg', config: {} },
    env: { PG_CONN_STR: url },
    query: (sql) => execFileSync(psql, [url, '-XAtc', sql], { encoding: 'utf8' }).trim(),
    begin: (sql) => openTransaction(psql, url, sql),
    stop: async () => {
      await end(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openTransaction(psql: string, url: string, sql: string) {
  const session = spawn(psql, [url, '-XAtq'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(session, 'exit');
  session.stdin.write(`BEGIN;\n${sql};\n\\echo open\n`);
  await once(session.stdout, 'data');
  return {
    commit: async () => {
      session.stdin.end('COMMIT;\n');
      await ended;
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
