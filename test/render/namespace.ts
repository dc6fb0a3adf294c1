import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { onTestFinished } from 'vitest';
import type { Probe, ProbeResult } from './connect-all.js';

/** Ours, beside the peers' addresses: who calls, and who is called. */
export const OURS = { caller: '192.0.2.1', caller6: '2001:db8:ffff::1', backend: '192.0.2.2' };

const PEERS = ['198.51.100.0/24', '203.0.113.0/24', '2001:db8::/47'];
const SCRIPT = new URL('connect-all.ts', import.meta.url);

let count = 0;

/** JavaScript of {@link SCRIPT}: each start would compile it anew. */
let program: string | undefined;

/** The reason why no namespace can be made here with these tools, or undefined. */
export function namespaceProblem(tools: readonly string[]): string | undefined {
  if (process.getuid?.() !== 0) return 'needs root';
  const missing = ['ip', ...tools].filter((tool) => spawnSync(tool, ['--version']).error);
  if (missing.length > 0) return `needs ${missing.join(', ')}`;
  const name = `sc-test-${process.pid}`;
  const made = spawnSync('ip', ['netns', 'add', name]);
  spawnSync('ip', ['netns', 'del', name]);
  return made.status === 0 ? undefined : 'needs network namespaces';
}

/** A network of the test's own: loopback only, with every stand-in address on it, and no way out. */
export class Namespace {
  static make(): Namespace {
    count += 1;
    const namespace = new Namespace(`sc-test-${process.pid}-${count}`);
    required(spawnSync('ip', ['netns', 'add', namespace.name]));
    onTestFinished(() => {
      spawnSync('ip', ['netns', 'del', namespace.name]);
    });
    namespace.run('ip', ['link', 'set', 'lo', 'up']);
    namespace.run('ip', ['address', 'add', `${OURS.caller6}/128`, 'dev', 'lo', 'nodad']);
    for (const peer of [...PEERS, `${OURS.caller}/32`, `${OURS.backend}/32`]) {
      namespace.run('ip', ['route', 'add', 'local', peer, 'dev', 'lo']);
    }
    return namespace;
  }

  private constructor(readonly name: string) {}

  run(command: string, args: readonly string[], input = ''): string {
    return required(this.attempt(command, args, input)).stdout;
  }

  attempt(command: string, args: readonly string[], input = ''): SpawnSyncReturns<string> {
    return spawnSync('ip', ['netns', 'exec', this.name, command, ...args], {
      input,
      encoding: 'utf8',
    });
  }

  /** Starts servers and calls them, all inside the namespace. */
  probe(probe: Probe): Promise<ProbeResult> {
    program ??= transformSync(readFileSync(SCRIPT, 'utf8'), { loader: 'ts' }).code;
    const node = [process.execPath, '--input-type=module', '--eval', program];
    const child = spawn('ip', ['netns', 'exec', this.name, ...node], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    child.stdin.end(JSON.stringify(probe));
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (status) =>
        status === 0 ? resolve(JSON.parse(text)) : reject(new Error(`status ${status}: ${text}`)),
      );
    });
  }
}

function required<T extends SpawnSyncReturns<string | Buffer>>(result: T): T {
  if (result.status === 0) return result;
  throw new Error(`status ${result.status}: ${result.stderr}${result.stdout}`);
}
