import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { resolve } from 'node:path';
import { manyLinks } from './many-links.js';
import { oneCheck } from './one-check.js';
import { nodeAt, startWorld } from './world.js';

/**
 * Measures everything in one run, side by side, and prints tables in Markdown. The arguments are
 * paths of Node.js to measure with beside the one that runs this.
 */
const program = resolve('dist/cli/main.js');
if (!existsSync(program)) throw new Error(`build first: ${program} does not exist`);
const nodes = [process.execPath, ...process.argv.slice(2)].map(nodeAt);
const world = await startWorld();
try {
  const openssl = execFileSync('openssl', ['version'], { encoding: 'utf8' }).trim();
  const model = cpus()[0]?.model.trim();
  process.stdout.write(
    `${openssl.replace(/ \(.*/, '')}, ${availableParallelism()} cores (${model}), loopback.\n\n`,
  );
  process.stdout.write(`${await oneCheck(world, program, nodes)}\n`);
  process.stdout.write(await manyLinks(world, program, nodes));
} finally {
  world.stop();
}
