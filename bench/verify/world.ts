import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** What a client of the service under measurement needs. */
export interface BenchWorld {
  readonly apiHost: string;
  readonly enterpriseId: string;
  readonly appId: string;
  readonly keyId: string;
  readonly keyFile: string;
  readonly caFile: string;
  readonly port: number;
  readonly dnsServer: string;
}

export interface RunningWorld extends BenchWorld {
  readonly folder: string;
  readonly stop: () => void;
}

/** Starts the service in a process of its own. */
export async function startWorld(): Promise<RunningWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-verify-'));
  const script = join(import.meta.dirname, 'service.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = () => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  const world: BenchWorld = JSON.parse(await firstLine(child));
  return { ...world, folder, stop };
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the service has no output');
  for await (const line of createInterface({ input: stdout })) return line;
  throw new Error('the service ended before it was ready');
}
