import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { blackboxProbes } from './blackbox.js';
import { type Cost, run, table } from './measure.js';
import { chainEnvironment, checkFlags, type RunningWorld } from './world.js';

const LINKS = 1_000;
const CHAINS = 200;
const MANY_LINKS = 10_000;

/** Many links in one process, beside the chain under xargs and what signing alone must cost. */
export async function manyLinks(world: RunningWorld, program: string): Promise<string> {
  const { folder } = world;
  const check = (links: number) => ({
    name: `${links} links`,
    argv: [
      ...[process.execPath, program, 'verify', '--targets', targetsFile(world, links)],
      ...['--format', `jsonl=${join(folder, 'results.jsonl')}`, '--format', 'jsonl'],
      ...checkFlags(world),
    ],
  });
  const chain = {
    name: 'chain under xargs',
    argv: [
      'bash',
      '-c',
      `seq ${CHAINS} | xargs -P 4 -I{} ${join(import.meta.dirname, 'chain.sh')}`,
    ],
    env: chainEnvironment(world),
  };
  const bare = {
    name: 'bare loop',
    argv: [process.execPath, join(import.meta.dirname, 'bare.mjs'), String(MANY_LINKS)],
    env: chainEnvironment(world),
  };
  await run(check(200), folder);
  const rows = [
    row(`\`verify --targets\`, ${LINKS} links`, LINKS, await run(check(LINKS), folder)),
    row(`chain under \`xargs -P 4\`, ${CHAINS} links`, CHAINS, await run(chain, folder)),
    row(
      `\`verify --targets\`, ${MANY_LINKS} links`,
      MANY_LINKS,
      await run(check(MANY_LINKS), folder),
    ),
    row(
      `a bare script for Node.js (\`bare.mjs\`), ${MANY_LINKS} times`,
      MANY_LINKS,
      await run(bare, folder),
    ),
    ...(await blackboxProbes(world)),
    signing(),
  ];
  return table(['', 'a second', 'CPU each', 'CPU in all', 'peak memory'], rows);
}

function targetsFile({ folder, apiHost, port }: RunningWorld, count: number): string {
  const file = join(folder, `targets-${count}.jsonl`);
  const target = { via: 'internet', baseUrl: `https://${apiHost}:${port}`, apiHost };
  const lines = Array.from({ length: count }, (_, i) =>
    JSON.stringify({ ...target, name: `link-${i}` }),
  );
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

function row(name: string, count: number, { wallMs, cpuMs = Number.NaN, peakMb }: Cost): string[] {
  return [
    name,
    `${((count / wallMs) * 1000).toFixed(0)}`,
    `${(cpuMs / count).toFixed(2)} ms`,
    `${(cpuMs / 1000).toFixed(1)} s`,
    peakMb === undefined ? '' : `${peakMb.toFixed(0)} MB`,
  ];
}

/** One core's worth of RSA-2048 signatures: the floor of any client. */
function signing(): string[] {
  const text = execFileSync('openssl', ['speed', '-seconds', '3', 'rsa2048'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const perSecond = Number(/rsa 2048 bits\s+\S+\s+\S+\s+([\d.]+)/.exec(text)?.[1]);
  const name = `\`openssl speed\`: RSA-2048 signature alone, one of ${availableParallelism()} cores`;
  return [name, perSecond.toFixed(0), `${(1000 / perSecond).toFixed(2)} ms`, '', ''];
}
