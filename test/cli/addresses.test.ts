import { describe, expect, test } from 'vitest';
import { check as checkHere } from '../../src/cli/addresses/addresses.js';
import { entry, FOUR, list, listFile } from '../support/address-lists.js';
import { startDns } from '../support/dns-responder.js';
import { runHere } from '../support/run-here.js';

const HOST = 'static.service.example';

function dns(...addresses: readonly string[]) {
  return startDns(() => ({ names: { [HOST]: addresses } }));
}

describe('addresses check', () => {
  const check = async (known: object | undefined, servers: readonly string[], ...more: string[]) =>
    await runHere([
      ...['addresses', 'check', '--host', HOST, '--timeout', '2s'],
      ...(known ? ['--list', await listFile(known)] : []),
      ...servers.flatMap((server) => ['--dns-server', server]),
      ...more,
    ]);

  test('is well when every resolver answers from the list', async () => {
    const [a, b] = await Promise.all([dns(FOUR[0] ?? ''), dns(FOUR[1] ?? '', FOUR[2] ?? '')]);
    const known = list(...FOUR.map((address) => entry(address)));
    const result = await check(known, [a.server, b.server]);
    expect(result).toMatchObject({ exit: 0, stderr: '' });
    expect(result.stdout).toBe(
      [
        `${HOST}, list 1: agrees: every answer is in the list`,
        `  ${a.server}: 198.51.100.1`,
        `  ${b.server}: 198.51.100.2, 198.51.100.9`,
        'listed, in no answer (a resolver sees only its own subset): 198.51.100.10',
        '',
      ].join('\n'),
    );
  });

  test('an address outside the list is reported with the resolver that named it', async () => {
    const [a, b] = await Promise.all([dns('198.51.100.1'), dns('198.51.100.1', '203.0.113.7')]);
    const result = await check(list(entry('198.51.100.1')), [a.server, b.server]);
    expect(result.exit).toBe(3);
    expect(result.stdout).toMatch(/^.*, list 1: differs: DNS names an address outside the list\n/);
    expect(result.stdout).toContain(`outside the list: 203.0.113.7, answered by ${b.server}\n`);
  });

  test('announced and retiring addresses are in the list, removed ones are not', async () => {
    const known = list(
      entry('198.51.100.1', 'announced'),
      entry('198.51.100.2', 'retiring'),
      entry('198.51.100.3', 'removed'),
    );
    const { server } = await dns('198.51.100.1', '198.51.100.2', '198.51.100.3');
    const { exit, stdout } = await check(known, [server], '--format', 'json');
    expect(exit).toBe(3);
    expect(JSON.parse(stdout)).toEqual({
      schema: 'secure-connectivity/addresses-check@1',
      host: HOST,
      listVersion: '1',
      resolvers: [{ server, addresses: ['198.51.100.1', '198.51.100.2', '198.51.100.3'] }],
      outside: [{ address: '198.51.100.3', servers: [server], state: 'removed' }],
      unresolved: [],
    });
  });

  test('networks of the list hold their addresses; an IPv6 answer is outside', async () => {
    const { server } = await dns('198.51.100.77', '2001:db8::1');
    const { exit, stdout } = await check(list(entry('198.51.100.0/24')), [server]);
    expect([exit, stdout]).toEqual([3, expect.stringContaining('outside the list: 2001:db8::1,')]);
  });

  test('the list of this package is the one without --list', async () => {
    const { server } = await dns('36.110.186.29', '36.110.186.36');
    const { exit, stdout } = await check(undefined, [server]);
    expect([exit, stdout]).toEqual([
      3,
      expect.stringContaining('outside the list: 36.110.186.36,'),
    ]);
  });

  test('the variable of the check names the DNS server where no flag does', async () => {
    const { server, asked } = await dns('198.51.100.1');
    const known = await listFile(list(entry('198.51.100.1')));
    const env = { SECURE_CONNECTIVITY_DNS_SERVER: server };
    const args = ['addresses', 'check', '--host', HOST, '--list', known];
    expect((await runHere(args, { env })).exit).toBe(0);
    expect(asked.sort()).toEqual([`A ${HOST}`, `AAAA ${HOST}`]);
  });

  test('a resolver without an answer is no success', async () => {
    const [a, b] = await Promise.all([dns('198.51.100.1'), startDns(() => ({ names: {} }))]);
    const { exit, stdout } = await check(list(entry('198.51.100.1')), [a.server, b.server]);
    expect([exit, stdout]).toEqual([10, expect.stringContaining(`  ${b.server}: dns.not-found\n`)]);
    expect(stdout).toMatch(/^.*: not shown: 1 of 2 resolvers gave no answer\n/);
  });

  test.each<[string, readonly string[], RegExp]>([
    ['a URL as host', ['--host', 'https://a.example'], /`--host` must be a host name/],
    [
      'a name as DNS server',
      ['--dns-server', 'dns.example'],
      /`--dns-server` must be an IP address/,
    ],
    ['a wrong timeout', ['--timeout', 'soon'], /`--timeout` must be a duration/],
    ['a missing list', ['--list', 'no-such'], /`--list` must be a readable file/],
  ])('%s is a wrong usage', async (_, args, message) => {
    await expect(checkHere(['--host', HOST, ...args])).rejects.toMatchObject({
      code: 'usage.invalid',
      message: expect.stringMatching(message),
    });
  });
});

test.each<[string, string, RegExp]>([
  [
    'an empty list',
    JSON.stringify(list()),
    /`--list\.entries` must let at least one address through/,
  ],
  [
    'a private address',
    JSON.stringify(list(entry('10.0.0.1'))),
    /`--list\.entries\[0\]` is not a public/,
  ],
  ['a leading zero', JSON.stringify(list(entry('198.51.100.010'))), /leading zero/],
  ['host bits', JSON.stringify(list(entry('198.51.100.1/28'))), /host bits set/],
  ['another family', JSON.stringify(list(entry('2001:db8::1'))), /must be IPv4/],
  [
    'the same twice',
    JSON.stringify(list(entry(FOUR[0] ?? ''), entry(FOUR[0] ?? ''))),
    /is covered by/,
  ],
  ['broken JSON', '{', /`--list` must hold JSON/],
  [
    'no states',
    '{"version":"1","entries":[{"address":"198.51.100.1"}]}',
    /`--list`: `entries\.0\.state`/,
  ],
])('%s is refused as a list', async (_, content, message) => {
  const args = ['--host', HOST, '--list', await listFile(content)];
  await expect(checkHere(args)).rejects.toMatchObject({
    code: 'usage.invalid',
    message: expect.stringMatching(message),
  });
});

test('a silence of two seconds says which resolver is waited for', async () => {
  const [quick, silent] = await Promise.all([
    dns('192.0.2.1'),
    startDns(() => ({ fault: 'silent' })),
  ]);
  const { waits } = await runHere([
    ...['addresses', 'check', '--host', HOST, '--timeout', '5s'],
    ...['--dns-server', quick.server, '--dns-server', silent.server],
  ]);
  expect(waits).toBe(`addresses: waiting for the answer of ${silent.server} for ${HOST}\n`);
});

test('without a part the parts are listed, which is a wrong usage, as an unknown one is', async () => {
  const overview = await runHere(['addresses']);
  expect([overview.exit, overview.stderr]).toEqual([
    2,
    expect.stringMatching(/check.*compare the answers/),
  ]);
  expect((await runHere(['addresses', 'merge'])).exit).toBe(2);
});
