import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The facts that a client of the service under measurement needs. */
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

/** A Node.js to measure with. */
export interface NodeVersion {
  readonly path: string;
  readonly version: string;
}

export function nodeAt(path: string): NodeVersion {
  const version = execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim();
  return { path, version };
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

/** The flags with which the program checks links of this world. */
export function checkFlags(world: BenchWorld): string[] {
  return [
    ...['--enterprise-id', world.enterpriseId, '--app-id', world.appId, '--key-id', world.keyId],
    ...['--private-key-file', world.keyFile, '--ca-file', world.caFile],
    ...['--dns-server', world.dnsServer],
  ];
}

/** The same for `chain.sh` and `bare-check.mjs`. */
export function chainEnvironment(world: BenchWorld): Record<string, string> {
  return {
    API_HOST: world.apiHost,
    PORT: String(world.port),
    ENTERPRISE_ID: world.enterpriseId,
    APP_ID: world.appId,
    KEY_ID: world.keyId,
    KEY_FILE: world.keyFile,
    CA_FILE: world.caFile,
    DNS_SERVER: world.dnsServer,
  };
}
