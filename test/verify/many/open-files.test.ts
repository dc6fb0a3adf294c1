import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createWorld, link } from '../../support/verifiable-link.js';
import { worldFlags } from '../../support/world-flags.js';

test('many links at once wait for one another where the process may open few files', async () => {
  const world = await createWorld();
  const { accessDigest: _, ...one } = link();
  const lines = Array.from({ length: 60 }, (_, i) => JSON.stringify({ ...one, name: `link ${i}` }));
  const file = join(world.folder, 'targets.jsonl');
  await writeFile(file, `${lines.join('\n')}\n`);
  // Without DNS, so that connections are the files that run short.
  const flags = worldFlags(world);
  const resolve = ['--resolve', `${new URL(one.baseUrl).hostname}:443:10.1.2.3`];
  const words = ['verify', '--targets', file, ...flags, ...resolve, '--concurrency', '60'];
  const { stderr } = await promisify(execFile)('sh', [
    ...['-c', 'ulimit -n 50; exec "$@"', 'sh', process.execPath, 'dist/cli/main.js'],
    ...words,
  ]);
  expect(stderr).toContain('60 of 60 links checked: 60 reachable');
});
