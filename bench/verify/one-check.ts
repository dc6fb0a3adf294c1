import { join } from 'node:path';
import { type Command, inTurns, median, table } from './measure.js';
import { chainEnvironment, checkFlags, type RunningWorld } from './world.js';

const ROUNDS = 25;

/** One check as a whole process, beside what one would write instead and the least that Node takes. */
export async function oneCheck(world: RunningWorld, program: string): Promise<string> {
  const { apiHost, port, folder } = world;
  const node = process.execPath;
  const link = ['--base-url', `https://${apiHost}:${port}`, '--via', 'internet'];
  const commands: Command[] = [
    { name: '`node -e 0`', argv: [node, '-e', '0'] },
    {
      name: 'openssl + 2 curl',
      argv: [join(import.meta.dirname, 'chain.sh')],
      env: chainEnvironment(world),
    },
    {
      name: '`verify`, one link',
      argv: [node, program, 'verify', ...link, '--api-host', apiHost, ...checkFlags(world)],
    },
    { name: '`verify --help`', argv: [node, program, 'verify', '--help'] },
    { name: '`explain tls.expired`', argv: [node, program, 'explain', 'tls.expired'] },
    { name: '`--help`', argv: [node, program, '--help'] },
  ];
  const costs = await inTurns(commands, ROUNDS, folder);
  const middle = (name: string) => median(costs.get(name)?.map(({ wallMs }) => wallMs) ?? []);
  const base = middle('`node -e 0`');
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
