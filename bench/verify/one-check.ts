import { join } from 'node:path';
import { type Command, inTurns, median, table } from './measure.js';
import { chainEnvironment, checkFlags, type RunningWorld } from './world.js';

const ROUNDS = 25;
const BASE = '`node -e 0`';

/** What loads nothing but what it needs to answer without a connection. */
const WITHOUT_CONNECTION = [
  '--help',
  'verify --help',
  'explain tls.expired',
  'sandbox --list-faults',
  'report --help',
  'token --help',
  'review --help',
  'diagram --help',
  'render --help',
  'addresses check --help',
  'import-blocks --help',
];

/** One check as a whole process, beside what one would write instead and the least that Node takes. */
export async function oneCheck(world: RunningWorld, program: string): Promise<string> {
  const node = process.execPath;
  const short = WITHOUT_CONNECTION.map((line) => ({
    name: `\`${line}\``,
    argv: [node, program, ...line.split(' ')],
  }));
  return await measured([...checks(world, program, {}), ...short], world);
}

/** The same check where Node.js reads all root certificates at its own start, as behind many companies' proxies. */
export async function oneCheckWithExtraRoots(
  world: RunningWorld,
  program: string,
): Promise<string> {
  return await measured(checks(world, program, { NODE_EXTRA_CA_CERTS: world.caFile }), world);
}

function checks(world: RunningWorld, program: string, env: Record<string, string>): Command[] {
  const { apiHost, port } = world;
  const node = process.execPath;
  const link = ['--base-url', `https://${apiHost}:${port}`, '--via', 'internet'];
  const inChain = { ...chainEnvironment(world), ...env };
  return [
    { name: BASE, argv: [node, '-e', '0'], env },
    { name: 'openssl + 2 curl', argv: [join(import.meta.dirname, 'chain.sh')], env: inChain },
    {
      name: 'a bare script for Node.js (`bare.mjs`)',
      argv: [node, join(import.meta.dirname, 'bare.mjs')],
      env: inChain,
    },
    {
      name: '`verify`, one link',
      argv: [node, program, 'verify', ...link, '--api-host', apiHost, ...checkFlags(world)],
      env,
    },
  ];
}

async function measured(commands: readonly Command[], { folder }: RunningWorld): Promise<string> {
  const costs = await inTurns(commands, ROUNDS, folder);
  const middle = (name: string) => median(costs.get(name)?.map(({ wallMs }) => wallMs) ?? []);
  const base = middle(BASE);
  const rows = commands.map(({ name }) => {
    const all = costs.get(name) ?? [];
    const wall = all.map(({ wallMs }) => wallMs);
    return [
      name,
      `${Math.min(...wall).toFixed(0)} ms`,
      `${median(wall).toFixed(0)} ms`,
      `${(median(wall) / base).toFixed(1)}`,
      `${median(all.map(({ cpuMs = Number.NaN }) => cpuMs)).toFixed(0)} ms`,
      `${median(all.map(({ peakMb = Number.NaN }) => peakMb)).toFixed(0)} MB`,
    ];
  });
  return table(['process', 'least', 'median', 'times `node -e 0`', 'CPU', 'memory'], rows);
}
