import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { blackboxProbes } from './blackbox.js';
import { type Command, type Cost, run, table } from './measure.js';
import { chainEnvironment, checkFlags, type NodeVersion, type RunningWorld } from './world.js';

const LINKS = 1_000;
const CHAINS = 200;
const MANY_LINKS = 5_000;

/** Many links in one process, beside the chain under xargs and what signing alone must cost. */
export async function manyLinks(
  world: RunningWorld,
  program: string,
  nodes: readonly NodeVersion[],
): Promise<string> {
  const { folder } = world;
  const rows: string[][] = [];
  for (const node of nodes) {
    await run(check(world, program, node, 200), folder);
    for (const links of [LINKS, MANY_LINKS]) {
      const cost = await run(check(world, program, node, links), folder);
      rows.push(row(`Node ${node.version}: \`verify --targets\`, ${links} links`, links, cost));
    }
    const name = `Node ${node.version}: the bare script, ${MANY_LINKS} times`;
    rows.push(row(name, MANY_LINKS, await run(bare(world, node), folder)));
  }
  rows.push(
    row(`chain under \`xargs -P 4\`, ${CHAINS} links`, CHAINS, await run(chain(world), folder)),
  );
  rows.push(...(await blackboxProbes(world)), signing());
  return table(['', 'a second', 'CPU each', 'CPU in all', 'peak memory'], rows);
}

function check(
  world: RunningWorld,
  program: string,
  { path }: NodeVersion,
  links: number,
): Command {
  const results = join(world.folder, 'results.jsonl');
  return {
    name: `${links} links`,
    argv: [
      ...[path, program, 'verify', '--targets', targetsFile(world, links)],
      ...['--format', `jsonl=${results}`, '--format', 'jsonl', ...checkFlags(world)],
    ],
  };
}

function bare(world: RunningWorld, { path }: NodeVersion): Command {
  return {
    name: 'bare loop',
    argv: [path, join(import.meta.dirname, 'bare-check.mjs'), String(MANY_LINKS)],
    env: chainEnvironment(world),
  };
}

function chain(world: RunningWorld): Command {
  const script = join(import.meta.dirname, 'chain.sh');
  return {
    name: 'chain under xargs',
    argv: ['bash', '-c', `seq ${CHAINS} | xargs -P 4 -I{} ${script}`],
    env: chainEnvironment(world),
  };
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

function row(name: string, count: number, { wallMs, cpuMs, peakMb }: Cost): string[] {
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
