import { join } from 'node:path';
import { type Command, type Cost, inTurns, median, table } from './measure.js';
import { chainEnvironment, checkFlags, type NodeVersion, type RunningWorld } from './world.js';

const ROUNDS = 15;
const BASE = '`node -e 0`';
const BARE = 'the bare script (`bare-check.mjs`)';
const CHECK = '`verify`, one link';

/** Commands that load nothing but what they need to answer without a connection. */
const WITHOUT_CONNECTION = [
  '--help',
  'verify --help',
  'explain tls.expired',
  'sandbox --list-faults',
  'token --help',
  'review --help',
  'reach --help',
  'render --help',
  'addresses check --help',
  'adopt --help',
];

/** One check as a whole process, beside the least that its calls take and what one would write for the shell. */
export async function oneCheck(
  world: RunningWorld,
  program: string,
  nodes: readonly NodeVersion[],
): Promise<string> {
  const sets = nodes.map((node) => commandsOf(world, program, node));
  const chain = {
    name: 'openssl + 2 curl',
    argv: [join(import.meta.dirname, 'chain.sh')],
    env: chainEnvironment(world),
  };
  const all = [chain, ...sets.flat()].map((command) => ({ ...command, name: keyOf(command) }));
  const costs = await inTurns(all, ROUNDS, world.folder);
  const find = (command: Command) => costs.get(keyOf(command)) ?? [];
  const tables = nodes.map((node, i) => {
    const commands = sets[i] ?? [];
    const rows = [chain, ...commands].map((command) =>
      row(command.name, find(command), ratioOf(command, commands, find)),
    );
    return `Node ${node.version}:\n\n${table(HEAD, rows)}`;
  });
  return tables.join('\n');
}

const HEAD = ['process', 'least', 'median', 'CPU', 'CPU, in times', 'memory'];

function commandsOf(world: RunningWorld, program: string, { path }: NodeVersion): Command[] {
  const { apiHost, port } = world;
  const link = ['--base-url', `https://${apiHost}:${port}`, '--via', 'internet'];
  return [
    { name: BASE, argv: [path, '-e', '0'] },
    {
      name: BARE,
      argv: [path, join(import.meta.dirname, 'bare-check.mjs')],
      env: chainEnvironment(world),
    },
    {
      name: CHECK,
      argv: [path, program, 'verify', ...link, '--api-host', apiHost, ...checkFlags(world)],
      env: { HOME: world.folder },
    },
    ...WITHOUT_CONNECTION.map((line) => ({
      name: `\`${line}\``,
      argv: [path, program, ...line.split(' ')],
    })),
  ];
}

/** Two versions of Node.js run commands of the same name. */
function keyOf({ argv }: Command): string {
  return argv.join(' ');
}

/** A check is measured by the bare script, and what opens no connection by Node.js itself. */
function ratioOf(
  command: Command,
  commands: readonly Command[],
  find: (command: Command) => readonly Cost[],
): string {
  const [base, to] = command.name === CHECK ? [BARE, 'the bare script'] : [BASE, '`node -e 0`'];
  const other = commands.find(({ name }) => name === base);
  if (other === undefined || command.name === base || command.name === BARE) return '';
  if (!commands.includes(command)) return '';
  return `${(cpuOf(find(command)) / cpuOf(find(other))).toFixed(2)} × ${to}`;
}

function cpuOf(costs: readonly Cost[]): number {
  return median(costs.map(({ cpuMs }) => cpuMs));
}

function row(name: string, costs: readonly Cost[], ratio: string): string[] {
  const wall = costs.map(({ wallMs }) => wallMs);
  return [
    name,
    `${Math.min(...wall).toFixed(0)} ms`,
    `${median(wall).toFixed(0)} ms`,
    `${cpuOf(costs).toFixed(0)} ms`,
    ratio,
    `${median(costs.map(({ peakMb = Number.NaN }) => peakMb)).toFixed(0)} MB`,
  ];
}
