import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TokenCache } from '../../../../src/service/token/token-cache.js';
import type { RunOptions, VerifyOptions } from '../../../../src/verify/model/options.js';
import { APPLICATION } from '../../../support/application.js';
import { check, createWorld, link, type World } from '../../../support/verifiable-link.js';

type Known = Required<RunOptions>;

/** Options that stay on this machine: files, the key, and what is done with the report. */
const NOT_SENT = Symbol('not sent');

/** The value that is given for each option, never its default, and what the vantage point is to get of it. */
type Rows = {
  readonly [Name in keyof Known]: readonly [given: Known[Name], received: unknown];
};

function same<const T>(value: T): readonly [T, T] {
  return [value, value];
}

async function rowsFor({ folder, options }: World, runVia: string): Promise<Rows> {
  const [rules, addresses] = [join(folder, 'rules'), join(folder, 'addresses')];
  await writeFile(rules, '10.1.2.3:443:127.0.0.1:1 # a comment\n*:1-9:127.0.0.1:2\n');
  await writeFile(addresses, '10.1.0.9\n10.1.0.10\n');
  const credentials = { ...APPLICATION };
  const keys = { privateKeyFile: options.credentials?.privateKeyFile, privateKey: 'text of a key' };
  return {
    credentials: [{ ...credentials, ...keys }, credentials],
    auth: same(false),
    tokens: [new TokenCache(), NOT_SENT],
    dnsServer: same('127.0.0.1:1'),
    connectTo: [
      [`@${rules}`, 'a.example:80:127.0.0.1:3'],
      ['10.1.2.3:443:127.0.0.1:1', '*:1-9:127.0.0.1:2', 'a.example:80:127.0.0.1:3'],
    ],
    resolve: same(['a.example:443:10.1.2.3']),
    tlsServerName: same('b.example'),
    family: same(4),
    proxy: same('http://user:password@127.0.0.1:1'),
    compareResolvers: same(['127.0.0.1:2', 'system']),
    ownAddresses: [[`@${addresses}`], ['10.1.0.9', '10.1.0.10']],
    environment: [{ HTTPS_PROXY: 'http://127.0.0.1:4' }, NOT_SENT],
    probes: same(false),
    caFile: [options.caFile ?? '', NOT_SENT],
    timeoutMs: same(20_000),
    // What is left of it.
    waitMs: [50_000, expect.toSatisfy((ms) => ms > 0 && ms < 50_000)],
    retryDelayMs: same(7),
    settle: same(2),
    runVia: [runVia, NOT_SENT],
    concurrency: same(3),
    title: ['a title', NOT_SENT],
    settings: same([{ name: '--family', source: 'a flag', value: '4' }]),
    names: same({ family: '--family' }),
    signal: [new AbortController().signal, NOT_SENT],
    onProgress: [() => undefined, NOT_SENT],
  };
}

/** A vantage point that writes down what it is asked to check, and checks nothing. */
async function listener({ folder }: World, log: string): Promise<string> {
  const file = join(folder, 'listener');
  const hello = 'echo secure-connectivity-check v20.19.0; read -r program';
  await writeFile(file, `#!/bin/sh\n${hello}; read -r order; printf '%s' "$order" > ${log}\n`);
  await chmod(file, 0o755);
  return file;
}

test('a vantage point is given the options that hold there, and none that belong to this machine', async () => {
  const world = await createWorld();
  const log = join(world.folder, 'order');
  const rows = await rowsFor(world, await listener(world, log));
  const given = Object.fromEntries(Object.entries(rows).map(([name, [value]]) => [name, value]));
  const plugin = { name: 'p', serviceId: 's', networks: ['10.1.0.0/16'], servers: ['10.1.0.5:80'] };
  await check(world, { ...(given as Partial<VerifyOptions>), plugins: [plugin] });
  const { options, ...rest } = JSON.parse(await readFile(log, 'utf8'));
  for (const [name, [, received]] of Object.entries(rows)) {
    const seen = Object.hasOwn(options, name) ? options[name] : NOT_SENT;
    expect.soft(seen, `the option ${name}`).toEqual(received);
  }
  expect.soft(Object.keys(rows)).toEqual(expect.arrayContaining(Object.keys(options)));
  expect(rest).toEqual({
    links: [link()],
    plugins: [plugin],
    keySource: world.options.credentials?.privateKeyFile,
    authorities: await readFile(world.options.caFile ?? '', 'utf8'),
  });
});
