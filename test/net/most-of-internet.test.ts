import { describe, expect, test } from 'vitest';
import { parseCidr } from '../../src/net/cidr.js';
import { mostOfInternet } from '../../src/net/most-of-internet.js';

const of = (...cidrs: string[]) => mostOfInternet(cidrs.map(parseCidr));

/** All but 0.0.0.0, which nobody has: a `/1`, a `/2` and so on, down to the last `/32`. */
const ALL_BUT_ONE = Array.from({ length: 32 }, (_, index) => {
  const value = 2 ** (31 - index);
  return `${[24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.')}/${index + 1}`;
});

describe('is the whole internet', () => {
  test.each([
    ['every IPv4 address', ['0.0.0.0/0']],
    ['two halves of IPv4', ['0.0.0.0/1', '128.0.0.0/1']],
    ['two halves beside a network of one’s own', ['10.0.0.0/8', '128.0.0.0/1', '0.0.0.0/1']],
    ['quarters', ['0.0.0.0/2', '64.0.0.0/2', '128.0.0.0/2', '192.0.0.0/2']],
    ['every IPv6 address', ['10.0.0.0/8', '::/0']],
    ['two halves of IPv6', ['::/1', '8000::/1']],
  ])('%s', (_, cidrs) => {
    expect(of(...cidrs)?.isAll).toBe(true);
  });
});

describe('is most of the internet', () => {
  test.each([
    ['all addresses but one', ALL_BUT_ONE, '100 % of the public IPv4 addresses'],
    [
      'all that are not private',
      [
        '1.0.0.0/8',
        '2.0.0.0/7',
        '4.0.0.0/6',
        '8.0.0.0/7',
        '11.0.0.0/8',
        '12.0.0.0/6',
        '16.0.0.0/4',
        '32.0.0.0/3',
        '64.0.0.0/2',
        '128.0.0.0/2',
        '192.0.0.0/3',
      ],
      '100 % of the public IPv4 addresses',
    ],
    ['the lower half', ['0.0.0.0/1'], '56 % of the public IPv4 addresses'],
    ['the upper half', ['128.0.0.0/1'], '50 % of all IPv4 addresses'],
    ['the public part of IPv6', ['2000::/3'], '100 % of the public IPv6 addresses'],
    ['that part in two', ['2000::/4', '3000::/4'], '100 % of the public IPv6 addresses'],
  ])('%s', (_, cidrs, share) => {
    expect(of(...cidrs)).toMatchObject({ isAll: false, share });
  });
});

test('names only the networks of the family that is open', () => {
  const opening = of('10.0.0.0/8', '::/1', '8000::/1');
  expect(opening?.cidrs.map(({ text }) => text)).toEqual(['::/1', '8000::/1']);
});

test('leaves alone what an enterprise may have, however often it names it', () => {
  expect(of()).toBeUndefined();
  expect(of('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10')).toBeUndefined();
  expect(of(...Array.from({ length: 60 }, () => '64.0.0.0/3'))).toBeUndefined();
  expect(of('fc00::/7', '2001:db8::/32')).toBeUndefined();
});
