import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { TimedOut } from '../../../src/service/http/limits.js';
import { Pace, withFiles } from '../../../src/service/open-files.js';
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
    ...['-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath, 'dist/cli/main.js'],
    ...words,
  ]);
  expect(stderr).toContain('60 of 60 links checked: 60 reachable');
});

const shortage = () => Object.assign(new Error('too many open files'), { code: 'EMFILE' });

test('a shortage that lasts is told as such, and never as a timeout of the link', async () => {
  const work = () => Promise.reject(shortage());
  await expect(withFiles(200, undefined, work)).rejects.toMatchObject({
    code: 'run.too-many-files',
    message: 'this process may open no more files, got: EMFILE',
  });
});

test('a shortage that ends is no failure, and a silence after it is a timeout', async () => {
  let tries = 0;
  const work = async () => {
    tries += 1;
    if (tries < 3) throw shortage();
    return tries;
  };
  expect(await withFiles(5_000, undefined, work)).toBe(3);
  tries = 1;
  const silent = () => work().then(() => (tries < 3 ? tries : new Promise<never>(() => {})));
  await expect(withFiles(500, undefined, silent)).rejects.toBeInstanceOf(TimedOut);
});

test('after a shortage fewer begin at the same time, and later more again', async () => {
  const pace = new Pace();
  let [now, most] = [0, 0];
  const work = () =>
    pace.run(async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise(setImmediate);
      now -= 1;
    });
  const first = Array.from({ length: 8 }, work);
  pace.slowDown();
  pace.slowDown();
  await Promise.all(first);
  most = 0;
  await Promise.all(Array.from({ length: 4 }, work));
  expect(most).toBe(4);
  most = 0;
  await Promise.all(Array.from({ length: 20 }, work));
  expect(most).toBeGreaterThan(4);
  expect(most).toBeLessThan(20);
});
