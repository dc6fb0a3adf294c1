import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAddress } from '../../src/net/address.js';
import {
  cidrContains,
  cidrCovers,
  cidrsOverlap,
  compareCidrs,
  hostCidr,
  isPrivateAddress,
  parseCidr,
} from '../../src/net/cidr.js';

const anyCidr = fc
  .tuple(fc.nat(2 ** 32 - 1), fc.integer({ min: 0, max: 32 }))
  .map(([value, prefix]) => {
    const size = 2n ** BigInt(32 - prefix);
    const first = BigInt(value) - (BigInt(value) % size);
    return `${[24n, 16n, 8n, 0n].map((shift) => (first >> shift) & 255n).join('.')}/${prefix}`;
  });

test.each([
  ['10.0.0.0', 'has no mask; write 10.0.0.0/32'],
  ['10.0.0.1/24', 'has host bits set; the network is 10.0.0.0/24'],
  ['10.0.0.0/33', 'has a mask that is not 0 to 32'],
  ['10.0.0.0/08', 'has a mask that is not 0 to 32'],
  ['10.0.0.0/8/8', 'has a mask that is not 0 to 32'],
  ['fd00::/129', 'has a mask that is not 0 to 128'],
  ['010.0.0.0/8', 'has an octet with a leading zero, which some systems read as octal'],
  ['all', 'is not an IPv4 or IPv6 address'],
])('refuses %j', (text, rule) => {
  expect(() => parseCidr(text)).toThrow(new RangeError(rule));
});

test('contains its first and last address and neither neighbour', () => {
  const network = parseCidr('10.1.0.0/16');
  expect(cidrContains(network, parseAddress('10.1.0.0'))).toBe(true);
  expect(cidrContains(network, parseAddress('10.1.255.255'))).toBe(true);
  expect(cidrContains(network, parseAddress('10.0.255.255'))).toBe(false);
  expect(cidrContains(network, parseAddress('10.2.0.0'))).toBe(false);
  expect(cidrContains(network, parseAddress('::1'))).toBe(false);
});

test('covers what it overlaps, or is covered by it', () => {
  fc.assert(
    fc.property(anyCidr, anyCidr, (one, other) => {
      const [a, b] = [parseCidr(one), parseCidr(other)];
      expect(cidrsOverlap(a, b)).toBe(cidrCovers(a, b) || cidrCovers(b, a));
    }),
  );
});

test('sorts by number, not by text, the wider network first', () => {
  const sorted = ['10.10.0.0/16', '9.0.0.0/8', '10.2.0.0/16', '10.0.0.0/8', 'fd00::/8']
    .map(parseCidr)
    .sort(compareCidrs)
    .map(({ text }) => text);
  expect(sorted).toEqual(['9.0.0.0/8', '10.0.0.0/8', '10.2.0.0/16', '10.10.0.0/16', 'fd00::/8']);
});

describe('private addresses', () => {
  test.each([
    '10.0.0.0',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    'fd12::1',
  ])('%s is', (text) => {
    expect(isPrivateAddress(parseAddress(text))).toBe(true);
  });
  test.each([
    '9.255.255.255',
    '172.32.0.0',
    '100.128.0.0',
    '203.0.113.1',
    '2001:db8::1',
  ])('%s is not', (text) => {
    expect(isPrivateAddress(parseAddress(text))).toBe(false);
  });
});

test('the network of one address is a /32 or a /128', () => {
  expect(hostCidr('192.0.2.1').text).toBe('192.0.2.1/32');
  expect(hostCidr('2001:db8::1').text).toBe('2001:db8::1/128');
});
