import { getEventListeners } from 'node:events';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Credentials, VerifiableLink } from '../../../../src/verify/model/options.js';
import type { LinkRecord } from '../../../../src/verify/model/results.js';
import { linkRecordSchema } from '../../../../src/verify/model/results.js';
import type { Target } from '../../../../src/verify/run/many/targets.js';
import { type ManyOptions, verifyMany } from '../../../../src/verify/run/many/verify-many.js';
import { answer, createWorld, link, type World } from '../../../support/verifiable-link.js';

async function* targetsOf(
  count: number,
  taken: number[] = [],
  credentials: Credentials = {},
  change: Partial<VerifiableLink> = {},
): AsyncGenerator<Target> {
  for (let i = 0; i < count; i += 1) {
    taken.push(i);
    yield { link: link({ name: `link ${i}`, ...change }), credentials };
  }
}

async function run(world: World, change: Partial<ManyOptions> = {}) {
  const records: LinkRecord[] = [];
  const { links: _, ...options } = world.options;
  const tally = await verifyMany({
    ...options,
    targets: targetsOf(20),
    concurrency: 4,
    onResult: (record) => {
      records.push(record);
    },
    ...change,
  });
  return { tally, records };
}

test('each link is one connection, one handshake and two requests, whatever their number', async () => {
  const world = await createWorld();
  const { tally, records } = await run(world);
  expect(world.service.count).toEqual({ connections: 20, handshakes: 20 });
  expect(world.service.requests).toHaveLength(40);
  expect(new Set(records.map(({ name }) => name)).size).toBe(20);
  for (const record of records) expect(linkRecordSchema.parse(record)).toEqual(record);
  expect([tally.exit(), tally.summary(20)]).toEqual([0, '20 of 20 links checked: 20 reachable\n']);
});

test('many links with many addresses leave no listener, and nothing that warns of a leak', async () => {
  const warned: Error[] = [];
  const warn = (warning: Error) => void warned.push(warning);
  process.on('warning', warn);
  onTestFinished(() => void process.off('warning', warn));
  const world = await createWorld();
  const addresses = Array.from({ length: 15 }, (_, i) => `10.1.2.${i + 3}`);
  world.dns = answer(...addresses);
  await world.connectTo(Object.fromEntries(addresses.map((one) => [one, world.service.port])));
  const { signal } = new AbortController();
  const targets = targetsOf(20, [], {}, { expectedAddresses: ['10.1.2.0/27'] });
  const { tally } = await run(world, { targets, concurrency: 16, signal });
  expect(tally.checked).toBe(20);
  // A busy machine tries one again.
  expect(world.service.count.handshakes).toBeGreaterThanOrEqual(20 * addresses.length);
  expect(warned).toEqual([]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('a key file is read once for all its links', async () => {
  const world = await createWorld();
  const file = join(world.folder, 'own_key');
  await copyFile(world.options.credentials?.privateKeyFile ?? '', file);
  const { tally } = await run(world, {
    targets: targetsOf(6, [], { privateKeyFile: file }),
    concurrency: 1,
    onResult: () => rm(file, { force: true }),
  });
  expect(tally.verdicts.reachable).toBe(6);
});

test('nothing is taken up while results are not taken', async () => {
  const world = await createWorld();
  const taken: number[] = [];
  let release = () => {};
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  let waiting = 0;
  const running = run(world, {
    targets: targetsOf(20, taken),
    concurrency: 3,
    onResult: async () => {
      waiting += 1;
      if (waiting === 3) {
        expect(taken).toHaveLength(3);
        release();
      }
      await blocked;
    },
  });
  expect((await running).tally.checked).toBe(20);
});

test('interrupted, it ends what has begun, takes up nothing more and says so', async () => {
  const world = await createWorld();
  const controller = new AbortController();
  const taken: number[] = [];
  const records: LinkRecord[] = [];
  const { tally } = await run(world, {
    targets: targetsOf(1000, taken),
    concurrency: 2,
    signal: controller.signal,
    onResult: (record) => {
      records.push(record);
      if (records.length === 5) controller.abort();
    },
  });
  expect(tally.checked).toBe(records.length);
  expect(records.length).toBeGreaterThanOrEqual(5);
  expect(records.length).toBeLessThanOrEqual(7);
  expect(taken.length).toBe(records.length);
  for (const { verdict } of records) expect(['reachable', 'incomplete']).toContain(verdict);
});

test('a link that fails leaves the others alone; the lowest exit wins and codes are counted', async () => {
  const world = await createWorld();
  async function* mixed(): AsyncGenerator<Target> {
    yield { link: link({ name: 'sound' }), credentials: {} };
    yield { link: link({ name: 'wrong key' }), credentials: { keyId: 'unknown' } };
    yield { link: link({ name: 'lost', baseUrl: 'https://lost.example' }), credentials: {} };
    yield {
      link: link({ name: 'elsewhere', expectedAddresses: ['10.9.9.9/32'] }),
      credentials: {},
    };
  }
  const { tally, records } = await run(world, { targets: mixed(), concurrency: 2 });
  const verdicts = Object.fromEntries(records.map(({ name, verdict }) => [name, verdict]));
  expect(verdicts).toEqual({
    sound: 'reachable',
    'wrong key': 'not-authorized',
    lost: 'unreachable',
    elsewhere: 'unreachable',
  });
  expect(tally.exit()).toBe(10);
  expect(tally.summary()).toMatch(
    /^4 links checked: 1 reachable, 1 not-authorized, 2 unreachable\n/,
  );
  expect(tally.summary()).toContain('  1  token.invalid-client\n');
});

test('vantage points are refused rather than ignored', async () => {
  const world = await createWorld();
  const change = { runVia: 'ssh bastion' } as Partial<ManyOptions>;
  await expect(run(world, change)).rejects.toThrow('`targets` cannot be used with `runVia`');
  expect(world.service.count.connections).toBe(0);
});

test('what the source or the taker of results throws ends the run', async () => {
  const world = await createWorld();
  async function* broken(): AsyncGenerator<Target> {
    yield* targetsOf(2);
    throw new Error('line 3 is no target');
  }
  await expect(run(world, { targets: broken() })).rejects.toThrow('line 3 is no target');
  const full = () => Promise.reject(new Error('the disk is full'));
  await expect(run(world, { onResult: full })).rejects.toThrow('the disk is full');
});
