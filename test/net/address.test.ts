import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAddress, parseAddress, unmapped } from '../../src/net/address.js';

test.each([
  ['10.0.0.1', 4, 0x0a000001n],
  ['255.255.255.255', 4, 0xffffffffn],
  ['::', 6, 0n],
  ['::1', 6, 1n],
  ['fd00::1:2', 6, (0xfd00n << 112n) | 0x10002n],
  ['64:ff9b::192.0.2.1', 6, (0x64ff9bn << 96n) | 0xc0000201n],
] as const)('reads %s', (text, family, value) => {
  expect(parseAddress(text)).toEqual({ family, value });
});

test.each([
  ['010.0.0.1', 'has an octet with a leading zero, which some systems read as octal'],
  ['10.0.0', 'is not an IPv4 or IPv6 address'],
  ['10.0.0.256', 'is not an IPv4 or IPv6 address'],
  ['fe80::1%eth0', 'is not an IPv4 or IPv6 address'],
  ['', 'is not an IPv4 or IPv6 address'],
  ['::ffff:192.0.2.1', 'is an IPv4-mapped address; write 192.0.2.1'],
])('refuses %j', (text, rule) => {
  expect(() => parseAddress(text)).toThrow(new RangeError(rule));
});

test('writes every address so that it reads back the same', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      fc.pre(!text.includes('%') && !/^(0*:)*ffff:/i.test(text) && !/::ffff:/i.test(text));
      const address = parseAddress(text);
      expect(parseAddress(formatAddress(address))).toEqual(address);
    }),
  );
});

test('compresses IPv6 as RFC 5952 says', () => {
  expect(formatAddress(parseAddress('2001:DB8:0:0:1:0:0:1'))).toBe('2001:db8::1:0:0:1');
});

test.each([
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['::FFFF:a01:203', '10.1.2.3'],
  ['0:0:0:0:0:ffff:a01:203', '10.1.2.3'],
  ['::10.1.2.3', '::10.1.2.3'],
  ['::ffff:0:a01:203', '::ffff:0:a01:203'],
  ['10.1.2.3', '10.1.2.3'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
  ['name.example', 'name.example'],
])('%s without a mapping is %s, however it is spelled', (text, expected) => {
  expect(unmapped(text)).toBe(expected);
});
