import { expect, test } from 'vitest';
import { diff as diffHere } from '../../src/cli/addresses/addresses.js';
import type { AddressList } from '../../src/net/address-list.js';
import { entry, FOUR, list, listFile } from '../support/address-lists.js';
import type { CliResult } from '../support/run-cli.js';
import { runHere } from '../support/run-here.js';

const published = ['--source', 'page of the vendor', '--date', '2026-11-02'];
const diff = async (before: object | string, after: object | string, ...more: string[]) =>
  await runHere([
    ...['addresses', 'diff', before === 'shipped' ? before : await listFile(before)],
    await listFile(after),
    ...published,
    ...more,
  ]);
const states = ({ stdout }: CliResult) =>
  Object.fromEntries(
    (JSON.parse(stdout) as AddressList).entries.map(({ address, state }) => [address, state]),
  );

test('a change goes through its stages, and both lists are let through until the last', async () => {
  const before = list(...FOUR.map((address) => entry(address)));
  const vendor = `# new\n198.51.100.1\n198.51.100.2 # first\n\n198.51.100.10\n203.0.113.5\n`;
  const announced = await diff(before, vendor);
  expect(announced.exit).toBe(0);
  expect(JSON.parse(announced.stdout)).toEqual({
    version: '2026-11-02',
    entries: [
      ...FOUR.map((address) => entry(address)),
      {
        address: '203.0.113.5',
        state: 'announced',
        firstSeen: '2026-11-02',
        source: 'page of the vendor',
      },
    ],
  });
  expect(announced.stderr).toBe(
    'addresses: now announced: 203.0.113.5\naddresses: allowed: 4 before, 5 now\naddresses: after the deploy, the next stage is overlap\n',
  );
  const overlap = await diff(announced.stdout, vendor, '--stage', 'overlap');
  expect(states(overlap)).toMatchObject({ '198.51.100.9': 'retiring', '203.0.113.5': 'active' });
  expect(overlap.stderr).toContain('allowed: 5 before, 5 now\n');
  const retired = await diff(overlap.stdout, vendor, '--stage', 'retire');
  expect(states(retired)).toEqual({
    '198.51.100.1': 'active',
    '198.51.100.2': 'active',
    '198.51.100.9': 'removed',
    '198.51.100.10': 'active',
    '203.0.113.5': 'active',
  });
  expect(retired.stderr).toBe(
    'addresses: now removed: 198.51.100.9\naddresses: allowed: 5 before, 4 now\n',
  );
  const again = await diff(retired.stdout, vendor, '--stage', 'retire');
  expect(again.stderr).toContain('addresses: nothing changes\n');
});

test('no stage can be skipped', async () => {
  const before = list(...FOUR.map((address) => entry(address)));
  const vendor = `${FOUR.slice(0, 3).join('\n')}\n203.0.113.5\n`;
  const retired = await diff(before, vendor, '--stage', 'retire');
  expect(states(retired)).toMatchObject({
    '198.51.100.10': 'retiring',
    '203.0.113.5': 'announced',
  });
});

test('an address that comes back is announced or stays active', async () => {
  const before = list(entry('198.51.100.1', 'removed'), entry('198.51.100.2', 'retiring'));
  const result = await diff(before, '198.51.100.1\n198.51.100.2\n');
  expect(states(result)).toEqual({ '198.51.100.1': 'announced', '198.51.100.2': 'active' });
});

test('the list of this package can be the old one, and JSON the new one', async () => {
  const after = list(entry('198.51.100.1'));
  const { exit, stdout } = await diff('shipped', after, '--allow-shrink', '--list-version', '7');
  expect(exit).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ version: '7' });
  expect((JSON.parse(stdout) as AddressList).entries).toHaveLength(25);
});

test.each<[string, string, RegExp]>([
  ['an empty list', '# nothing\n', /`NEW` must let at least one address through, got: none/],
  [
    'more than a quarter gone',
    '198.51.100.1\n198.51.100.2\n',
    /`NEW` must not have more than a quarter fewer addresses, got: 2 of 4; add --allow-shrink/,
  ],
  ['a private address', '#\n10.0.0.1\n', /`NEW` line 2 .*public address.*10\.0\.0\.1/],
  ['a CGNAT address', '100.64.0.1\n', /`NEW` line 1 .*public address/],
  ['a leading zero', '198.51.100.1\n198.51.100.010\n', /`NEW` line 2 .*leading zero/],
  ['host bits', '198.51.100.1/28\n', /`NEW` line 1 .*host bits set/],
  ['a mask beyond the end', '198.51.100.1/33\n', /`NEW` line 1 .*mask/],
  ['every address', '0.0.0.0/0\n', /`NEW` line 1 /],
  ['an IPv4-mapped address', '::ffff:198.51.100.1\n', /`NEW` line 1 .*IPv4-mapped/],
  ['another family', '2001:db8::1\n', /`NEW` line 1 .*IPv4/],
  ['a host name', 'static.example\n', /`NEW` line 1 is not an IPv4/],
  ['two on a line', '198.51.100.1, 198.51.100.2\n', /`NEW` line 1 is not an IPv4/],
  ['the same twice', '198.51.100.1\n\n198.51.100.1\n', /`NEW` line 3 .*`NEW` line 1/],
  ['lines of another system', '198.51.100.1\r\n', /`NEW` line 1 must end with a line feed alone/],
  [
    'networks written otherwise',
    '198.51.100.0/30\n198.51.100.9\n198.51.100.10\n',
    /`NEW` must write networks as `OLD` does, got: 198\.51\.100\.0\/30 where `OLD` has 198\.51\.100\.1/,
  ],
  ['broken JSON', '{', /`NEW` must hold JSON/],
  [
    'a JSON list without states',
    '{"version":"1","entries":[{"address":"198.51.100.1"}]}',
    /`NEW`: `entries\.0\.state`/,
  ],
])('%s is refused', async (_, vendor, message) => {
  const before = await listFile(list(...FOUR.map((address) => entry(address))));
  await expect(diffHere([before, await listFile(vendor), ...published])).rejects.toMatchObject({
    code: 'addresses.invalid',
    message: expect.stringMatching(message),
  });
});

test('new addresses need a source, and dates must be days', async () => {
  const before = await listFile(list(entry('198.51.100.1')));
  const after = await listFile('198.51.100.1\n203.0.113.5\n');
  const unsourced = await runHere(['addresses', 'diff', before, after]);
  expect([unsourced.exit, unsourced.stderr]).toEqual([
    2,
    expect.stringMatching(/`--source` must say/),
  ]);
  const undated = await runHere(['addresses', 'diff', before, after, '--date', '2.11.2026']);
  expect([undated.exit, undated.stderr]).toEqual([
    2,
    expect.stringMatching(/`--date` must be a date/),
  ]);
});

test('a file that cannot be written is named, with exit 2 and nothing on standard output', async () => {
  const { exit, stdout, stderr } = await diff(
    'shipped',
    list(entry('203.0.113.5')),
    ...['--allow-shrink', '--output', '/no/such/folder/list'],
  );
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/`--output` must name a file.*\/no\/such\/folder\/list \(ENOENT\)/);
});
