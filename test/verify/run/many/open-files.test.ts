import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withFiles } from '../../../../src/service/open-files.js';
import type { LinkRecord } from '../../../../src/verify/model/results.js';
import { runCli } from '../../../support/run-cli.js';
import { listen } from '../../../support/service-server.js';
import { createWorld, link, type World } from '../../../support/verifiable-link.js';
import { worldFlags } from '../../../support/world-flags.js';

const ADDRESSES = Array.from({ length: 16 }, (_, i) => `10.1.2.${i + 1}`);

/** Six links, each of which opens a connection for each of its 16 addresses, with so many files at most. */
async function checkShort(world: World, mostFiles: number, ...flags: string[]) {
  const { accessDigest: _, ...one } = link({ expectedAddresses: [] });
  const lines = Array.from({ length: 6 }, (_, i) => JSON.stringify({ ...one, name: `link ${i}` }));
  const targets = join(world.folder, 'targets.jsonl');
  await writeFile(targets, `${lines.join('\n')}\n`);
  const resolve = `${new URL(one.baseUrl).hostname}:443:${ADDRESSES.join(',')}`;
  const { exit, stdout, stderr } = await runCli(
    ['verify', '--targets', targets, ...worldFlags(world), '--resolve', resolve, ...flags],
    { mostFiles },
  );
  if (stdout === '') throw new Error(stderr);
  const records = stdout
    .trimEnd()
    .split('\n')
    .map((line): LinkRecord => JSON.parse(line));
  return { exit, stderr, records };
}

test('links that together need more files than there are wait for one another, and pass', async () => {
  const world = await createWorld();
  await world.connectTo(Object.fromEntries(ADDRESSES.map((one) => [one, world.service.port])));
  const { exit, stderr, records } = await checkShort(world, 96, '--timeout', '60s');
  expect(stderr.split('\n').at(-2)).toBe('verify: 6 of 6 links checked: 6 reachable');
  expect(exit).toBe(0);
  // A busy machine can take a link twice: each address of each link was reached.
  const reached = records.flatMap(({ name, stages }) =>
    stages
      .filter(({ stage, status }) => stage === 'tcp' && status === 'passed')
      .map(({ address }) => `${name} ${address}`),
  );
  expect(new Set(reached).size).toBe(6 * ADDRESSES.length);
});

test('where connections that stay open leave no files, the check says so and takes no dial for a timeout', async () => {
  const world = await createWorld();
  const mute = await listen(createServer(() => undefined));
  await world.connectTo(Object.fromEntries(ADDRESSES.map((one) => [one, mute])));
  const { stderr, records } = await checkShort(world, 28, '--timeout', '3s');
  expect(records).toHaveLength(6);
  const dials = records.flatMap(({ stages }) => stages.filter(({ stage }) => stage === 'tcp'));
  const codes = new Set(dials.map(({ code }) => code));
  expect(codes).toEqual(new Set([undefined, 'run.too-many-files']));
  expect(stderr).toMatch(/^ +\d {2}run\.too-many-files$/m);
  expect(stderr).not.toContain('tcp.');
});

const shortage = () => Object.assign(new Error('too many open files'), { code: 'EMFILE' });

test('a shortage is reported as such, and never as a timeout of the link', async () => {
  const work = () => Promise.reject(shortage());
  await expect(withFiles(200, undefined, work)).rejects.toMatchObject({
    code: 'run.too-many-files',
    message: 'this process may open no more files, got: EMFILE',
  });
});
