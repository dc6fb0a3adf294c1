import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { freePort, untilListening } from './free-port.js';

/** The path at which `.ci/tools` unpacks a program of Debian's package, or the one on the PATH. */
function find(name: string): string | undefined {
  const unpacked = join(homedir(), '.cache/cdktf-secure-connectivity/prometheus/usr/bin', name);
  if (existsSync(unpacked)) return unpacked;
  return spawnSync(name, ['--version']).status === 0 ? name : undefined;
}

const PROMETHEUS = find('prometheus');
export const PROMTOOL = find('promtool');
export const HAS_PROMETHEUS = PROMETHEUS !== undefined && PROMTOOL !== undefined;

export interface Prometheus {
  /** Asks one of its interfaces, by its path under `/api/v1/`. @returns the `data` of the answer */
  readonly ask: (path: string) => Promise<unknown>;
  readonly stop: () => Promise<void>;
}

/** Prometheus with a configuration and a folder of its own. */
export async function startPrometheus(config: string, folder: string): Promise<Prometheus> {
  if (PROMETHEUS === undefined) throw new Error('Prometheus is not installed');
  const port = await freePort();
  const server = spawn(
    PROMETHEUS,
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: 'ignore' },
  );
  await untilListening(port);
  return {
    ask: async (path) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
      return ((await response.json()) as { data: unknown }).data;
    },
    stop: async () => {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    },
  };
}
