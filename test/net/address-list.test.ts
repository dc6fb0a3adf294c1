import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AddressList,
  addressListProblems,
  effectiveCidrs,
  shrinkProblems,
} from '../../src/net/address-list.js';
import { FIXED_ADDRESSES } from '../../src/net/fixed-addresses.js';

function list(...addresses: string[]): AddressList {
  return {
    version: '1',
    entries: addresses.map((address) => ({
      address,
      state: 'active',
      firstSeen: '2026-05-04',
      source: 'test',
    })),
  };
}

test('the shipped list has no problem, and 24 addresses in numeric order', () => {
  expect(addressListProblems('list', FIXED_ADDRESSES)).toEqual([]);
  const cidrs = effectiveCidrs(FIXED_ADDRESSES);
  expect(cidrs).toHaveLength(24);
  expect(cidrs[0]).toBe('36.110.186.29/32');
  expect(cidrs.at(-1)).toBe('221.194.131.81/32');
});

test('the order of a list does not matter', () => {
  const addresses = FIXED_ADDRESSES.entries.map(({ address }) => address);
  fc.assert(
    fc.property(fc.shuffledSubarray(addresses, { minLength: 24 }), (shuffled) => {
      expect(effectiveCidrs(list(...shuffled))).toEqual(effectiveCidrs(FIXED_ADDRESSES));
    }),
  );
});

test.each([
  '10.1.2.3',
  '100.127.255.255',
  '127.0.0.1',
  '169.254.1.1',
  '0.0.0.0',
  '255.255.255.255',
])('no list of a public service holds %s', (address) => {
  expect(addressListProblems('list', list(address))).toEqual([
    `\`list[0]\` is not a public address, got: "${address}"`,
  ]);
});

test('every broken entry is named', () => {
  expect(addressListProblems('list', list('8.8.8.8', '1.1.1.1/33', '8.8.8.8/24'))).toEqual([
    '`list[1]` has a mask that is not 0 to 32, got: "1.1.1.1/33"',
    '`list[2]` has host bits set; the network is 8.8.8.0/24, got: "8.8.8.8/24"',
  ]);
});

test.each([
  [24, 18, 0],
  [24, 17, 1],
  [4, 3, 0],
  [4, 2, 1],
])('of %d addresses, %d may stay without an exception: %d problems', (before, after, problems) => {
  const addresses = Array.from({ length: after }, (_, i) => `192.0.2.${i}`);
  expect(shrinkProblems('list', list(...addresses), before)).toHaveLength(problems);
});
