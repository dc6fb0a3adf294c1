import { expect, test } from 'vitest';
import { difference, toOpening } from '../../src/render/model.js';
import { cidrRule, modelOf } from './models.js';

const openings = (...cidrs: readonly string[]) =>
  modelOf(...cidrs.map((cidr) => cidrRule(cidr))).rules.map(toOpening);

test('a network and its halves are the same', () => {
  expect(
    difference(openings('198.51.100.0/31'), openings('198.51.100.0/32', '198.51.100.1/32')),
  ).toEqual([]);
});

test('only the addresses that differ are named', () => {
  expect(
    difference(openings('198.51.100.0/30'), openings('198.51.100.1/32', '198.51.100.8/31')),
  ).toEqual([
    '- agents egress tcp 443 198.51.100.0/32',
    '- agents egress tcp 443 198.51.100.2/31',
    '+ agents egress tcp 443 198.51.100.8/31',
  ]);
});

test('another port is another opening, and other peers are given by name', () => {
  const [before] = openings('198.51.100.0/32');
  if (before === undefined) throw new Error('no opening');
  const account = { ...before, peer: { kind: 'account', account: '1' } as const };
  expect(difference([before], [{ ...before, ports: { first: 1, last: 9 } }, account])).toEqual([
    '- agents egress tcp 443 198.51.100.0/32',
    '+ agents egress tcp 443 account 1',
    '+ agents egress tcp 1-9 198.51.100.0/32',
  ]);
});
