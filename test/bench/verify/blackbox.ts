import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningWorld } from './world.js';

const PROBES = 500;
const TICKS_PER_SECOND = 100;

/** Debian gives it another name. */
const PROGRAMS = ['blackbox_exporter', 'prometheus-blackbox-exporter'];

/**
 * One plain HTTPS request to the service by blackbox_exporter, without any credential: much less than
 * a check. A row of the table, or none where the program is not on the PATH or there is no /proc.
 */
export async function blackboxProbes(world: RunningWorld): Promise<string[][]> {
  const program = PROGRAMS.find(runs);
  if (program === undefined) return [];
  const exporter = await start(program, world);
  try {
    await probe(exporter.port, world, 50);
    const cpuBefore = cpuSeconds(exporter.child);
    const start = performance.now();
    await probe(exporter.port, world, PROBES);
    const seconds = (performance.now() - start) / 1000;
    const cpu = cpuSeconds(exporter.child) - cpuBefore;
    return [
      [
        `blackbox_exporter, ${PROBES} plain HTTPS probes (no token, no API call)`,
        (PROBES / seconds).toFixed(0),
        `${((cpu / PROBES) * 1000).toFixed(2)} ms`,
        `${cpu.toFixed(1)} s`,
        '',
      ],
    ];
  } finally {
    exporter.child.kill();
  }
}

function runs(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function start(
  program: string,
  { folder, caFile, apiHost }: RunningWorld,
): Promise<{ child: ChildProcess; port: number }> {
  const config = join(folder, 'blackbox.yml');
  const http = {
    headers: { Host: apiHost },
    valid_status_codes: [401],
    preferred_ip_protocol: 'ip4',
    tls_config: { ca_file: caFile, server_name: apiHost },
  };
  // JSON is YAML.
  writeFileSync(config, JSON.stringify({ modules: { https: { prober: 'http', http } } }));
  const child = spawn(program, [`--config.file=${config}`, '--web.listen-address=127.0.0.1:0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  for await (const text of child.stderr) {
    log += text;
    const port = /Listening on.*127\.0\.0\.1:(\d+)/.exec(log)?.[1];
    if (port !== undefined) {
      child.stderr.resume();
      return { child, port: Number(port) };
    }
  }
  throw new Error(`blackbox_exporter did not start: ${log}`);
}

async function probe(exporter: number, { port }: RunningWorld, times: number): Promise<void> {
  const target = encodeURIComponent(`https://127.0.0.1:${port}/v1/workspaces`);
  const url = `http://127.0.0.1:${exporter}/probe?module=https&target=${target}`;
  let left = times;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      const text = await (await fetch(url)).text();
      if (!text.includes('\nprobe_success 1')) throw new Error(`the probe failed: ${text}`);
    }
  };
  await Promise.all([work(), work(), work(), work()]);
}

function cpuSeconds({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
