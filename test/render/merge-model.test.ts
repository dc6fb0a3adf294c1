import fc from 'fast-check';
import { expect, test } from 'vitest';
import { effectiveCidrs } from '../../src/net/address-list.js';
import { parseCidr, toCidr } from '../../src/net/cidr.js';
import { mergeCidrs, subtractCidrs } from '../../src/net/cidr-set.js';
import { FIXED_ADDRESSES } from '../../src/net/fixed-addresses.js';
import { mergeModel } from '../../src/render/select-rules.js';
import { cidrRule, modelOf, STAND_INS } from './models.js';

const cidrs = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 31 }), fc.integer({ min: 27, max: 32 }))
    .map(([host, prefix]) => toCidr({ family: 4, value: BigInt(host) }, prefix)),
);

const addressesOf = (networks: readonly { first: bigint; last: bigint }[]) => {
  const all = new Set<bigint>();
  for (const { first, last } of networks) for (let a = first; a <= last; a += 1n) all.add(a);
  return [...all].sort((a, b) => Number(a - b));
};

test('the 24 addresses of the list become 20 prefixes', () => {
  const model = modelOf(...effectiveCidrs(FIXED_ADDRESSES).map((cidr) => cidrRule(cidr)));
  expect(model.rules).toHaveLength(24);
  expect(mergeModel(model).rules).toHaveLength(20);
});

test('the stand-ins are as many, with as many pairs', () => {
  const model = modelOf(...STAND_INS.map((address) => cidrRule(`${address}/32`)));
  expect([model.rules.length, mergeModel(model).rules.length]).toEqual([24, 20]);
});

test('merging keeps every address, adds none, and cannot be done twice', () => {
  fc.assert(
    fc.property(cidrs, (some) => {
      const merged = mergeCidrs(some);
      expect(addressesOf(merged)).toEqual(addressesOf(some));
      expect(mergeCidrs(merged)).toEqual(merged);
      expect(merged.length).toBeLessThanOrEqual(new Set(some.map(({ text }) => text)).size);
    }),
  );
});

test('what is subtracted is gone, and nothing else', () => {
  fc.assert(
    fc.property(cidrs, cidrs, (a, b) => {
      const without = new Set(addressesOf(b));
      expect(addressesOf(subtractCidrs(a, b))).toEqual(
        addressesOf(a).filter((address) => !without.has(address)),
      );
    }),
  );
});

test('rules that differ in more than the address are not merged', () => {
  const model = modelOf(
    cidrRule('198.51.100.0/32'),
    cidrRule('198.51.100.1/32', { ports: { first: 80, last: 80 } }),
    cidrRule('198.51.100.2/32', { direction: 'ingress' }),
    cidrRule('198.51.100.3/32', { exception: { reason: 'r', owner: 'o', expires: '2030-01-01' } }),
  );
  expect(mergeModel(model)).toEqual(model);
});

test('peers without addresses stay, and reasons are joined', () => {
  const account = { kind: 'account', account: '1' } as const;
  const merged = mergeModel(
    modelOf(
      cidrRule('198.51.100.0/32', { reason: 'first' }),
      cidrRule('198.51.100.1/32', { reason: 'second' }),
      { ...cidrRule('0.0.0.0/0'), peer: account },
    ),
  );
  expect(merged.rules.map(({ peer, reason }) => [peer, reason])).toEqual([
    [account, 'calls to the service'],
    [{ kind: 'cidr', cidr: '198.51.100.0/31' }, 'first; second'],
  ]);
});

test('both ends of the number line merge', () => {
  const halves = ['0.0.0.0/1', '128.0.0.0/1', '::/1', '8000::/1'].map(parseCidr);
  expect(mergeCidrs(halves).map(({ text }) => text)).toEqual(['0.0.0.0/0', '::/0']);
});
