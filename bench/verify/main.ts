import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { resolve } from 'node:path';
import { manyLinks } from './many-links.js';
import { oneCheck, oneCheckWithExtraRoots } from './one-check.js';
import { startWorld } from './world.js';

/** Measures everything in one run, side by side, and prints tables in Markdown. */
const program = resolve(process.argv[2] ?? 'dist/cli/main.js');
if (!existsSync(program)) throw new Error(`build first: ${program} does not exist`);
const world = await startWorld();
try {
  const openssl = execFileSync('openssl', ['version'], { encoding: 'utf8' }).trim();
  const model = cpus()[0]?.model.trim();
  process.stdout.write(
    `Node ${process.versions.node}, ${openssl.replace(/ \(.*/, '')}, ${availableParallelism()} cores (${model}), loopback.\n\n`,
  );
  process.stdout.write(`${await oneCheck(world, program)}\n`);
  process.stdout.write('With NODE_EXTRA_CA_CERTS set:\n\n');
  process.stdout.write(`${await oneCheckWithExtraRoots(world, program)}\n`);
  process.stdout.write(await manyLinks(world, program));
} finally {
  world.stop();
}
