import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  openTargets,
  readTargets,
  type Target,
  type TargetsOptions,
} from '../../../../src/verify/run/many/targets.js';
import { temporaryFolder } from '../../../support/cleanup.js';

const MINIMAL = { via: 'internet', baseUrl: 'https://a.example', apiHost: 'api.example' };

async function all(file: string, options?: TargetsOptions): Promise<Target[]> {
  const found: Target[] = [];
  for await (const target of readTargets(file, options)) found.push(target);
  return found;
}

async function fileOf(...lines: (string | object)[]): Promise<string> {
  const file = join(await temporaryFolder(), 'targets.jsonl');
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  await writeFile(file, texts.join('\n'));
  return file;
}

test('each line is a link with an application and key of its own', async () => {
  const file = await fileOf(
    MINIMAL,
    '',
    {
      ...MINIMAL,
      name: 'b',
      enterpriseId: 'e',
      appId: 'app',
      keyId: 'kid',
      privateKeyFile: 'k.pem',
    },
    { ...MINIMAL, privateKeyFile: '/keys/b.pem', expectedNetworks: ['10.0.0.0/8'] },
  );
  const targets = await all(file);
  expect(targets.map(({ link }) => link.name)).toEqual(['a.example', 'b', 'a.example']);
  expect(targets.map(({ credentials }) => credentials)).toEqual([
    {},
    {
      enterpriseId: 'e',
      appId: 'app',
      keyId: 'kid',
      privateKeyFile: file.replace('targets.jsonl', 'k.pem'),
    },
    { privateKeyFile: '/keys/b.pem' },
  ]);
  expect(targets[2]?.link).toMatchObject({
    expectedAddresses: [],
    expectedNetworks: ['10.0.0.0/8'],
  });
  expect((await openTargets(file)).total).toBe(3);
});

test('over all parts of a file every line is read exactly once', async () => {
  const file = await fileOf(
    ...Array.from({ length: 97 }, (_, i) => ({ ...MINIMAL, name: `link ${i}` })),
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 12 }), async (of) => {
      const names: string[] = [];
      for (let number = 1; number <= of; number += 1) {
        const part = await all(file, { shard: { number, of } });
        expect((await openTargets(file, { shard: { number, of } })).total).toBe(part.length);
        names.push(...part.map(({ link }) => link.name));
      }
      expect(names).toHaveLength(97);
      expect(new Set(names).size).toBe(97);
    }),
    { numRuns: 12 },
  );
});

test('a part beyond the lines is empty and no mistake; a file without lines is one', async () => {
  const file = await fileOf(MINIMAL);
  expect((await openTargets(file, { shard: { number: 2, of: 2 } })).total).toBe(0);
  await expect(openTargets(await fileOf('', ' '))).rejects.toThrow(/must hold at least one target/);
});

test.each([
  ['text', 'nonsense', /line 2 must be one JSON object on one line/],
  [
    'an unknown field',
    { ...MINIMAL, privateKey: 'x' },
    /line 2 is no target: `privateKey` must not be there$/,
  ],
  [
    'a wrong kind',
    { ...MINIMAL, via: 'pigeon' },
    /line 2 is no target: `via` must be one of "service-endpoint", "fixed-ip-egress", "internet"$/,
  ],
  ['plain http', { ...MINIMAL, baseUrl: 'http://a.example' }, /needs `--allow-plain-http`/],
  [
    'a base URL that is none',
    { ...MINIMAL, baseUrl: 'notaurl' },
    /line 2 is no target: `baseUrl` must be an http or https URL$/,
  ],
  [
    'a space in it',
    { ...MINIMAL, baseUrl: 'https://a b' },
    /`baseUrl` must be an http or https URL/,
  ],
  ['a path', { ...MINIMAL, baseUrl: 'https://a.example/v1' }, /must be scheme, host and port only/],
])('%s is a mistake that names file and line', async (_, line, message) => {
  const file = await fileOf(MINIMAL, line);
  await expect(openTargets(file)).rejects.toThrow(message);
});

test('targets are counted first, and read again as they are taken', async () => {
  const file = await fileOf(MINIMAL, { ...MINIMAL, name: 'b' });
  const { total, targets } = await openTargets(file);
  expect(total).toBe(2);
  await writeFile(file, JSON.stringify({ ...MINIMAL, name: 'later' }));
  expect(await namesOf(targets)).toEqual(['later']);
});

async function namesOf(targets: AsyncIterable<Target>): Promise<string[]> {
  const names: string[] = [];
  for await (const { link } of targets) names.push(link.name);
  return names;
}

test('a byte order mark before the first line is passed over', async () => {
  const targets = await all(await fileOf(`\uFEFF${JSON.stringify(MINIMAL)}`, MINIMAL));
  expect(targets.map(({ link }) => link.name)).toEqual(['a.example', 'a.example']);
});

test('plain http is read where it is allowed, and a missing file is named', async () => {
  const file = await fileOf({ ...MINIMAL, baseUrl: 'http://a.example' });
  expect((await openTargets(file, { allowPlainHttp: true })).total).toBe(1);
  await expect(openTargets('/no/such/file')).rejects.toThrow(/got: \/no\/such\/file \(ENOENT\)/);
});

test.each(['/dev/zero', '/dev/full'])('%s, a line without an end, is refused', async (file) => {
  await expect(all(file)).rejects.toThrow(
    `\`--targets\` must hold one target a line, each at most 1 MiB long, got: a longer line in ${file}`,
  );
});

test('many lines may be longer together than one may be', async () => {
  const targets = await all(await fileOf(...Array.from({ length: 12_000 }, () => MINIMAL)));
  expect(targets).toHaveLength(12_000);
});
