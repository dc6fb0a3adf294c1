import { expect, test } from 'vitest';
import { SubnetBlocks } from '../../src/rehearse/stage/subnet-blocks.js';

const at = (subnet: string, address: string, vpcId = 'vpc-1') => ({ subnet, address, vpcId });

test.each([
  ['a subnet alone', [at('a', '10.0.1.10')], { a: '10.0.1.0/24' }],
  [
    'two in what could be one',
    [at('a', '10.0.1.10'), at('b', '10.0.1.200')],
    { a: '10.0.1.0/25', b: '10.0.1.128/25' },
  ],
  ['an address that moves far', [at('a', '10.0.1.10'), at('a', '10.0.3.7')], { a: '10.0.0.0/22' }],
  [
    'the same address in two networks',
    [at('a', '10.0.1.10'), at('b', '10.0.1.10', 'vpc-2')],
    { a: '10.0.1.0/24', b: '10.0.1.0/24' },
  ],
  [
    'a subnet of which nothing is stated, beside one where spare blocks begin',
    [at('a', '10.200.0.10')],
    { a: '10.200.0.0/24', b: '10.200.1.0/24', c: '10.200.2.0/24' },
  ],
])('stand-ins for subnets have blocks: %s', (_, stated, expected) => {
  const blocks = new SubnetBlocks(stated);
  const found = Object.keys(expected).map((subnet) => [subnet, blocks.blockFor(subnet)]);
  expect(Object.fromEntries(found)).toEqual(expected);
});

test('an address that two trees state in two subnets of one network is refused', () => {
  expect(() => new SubnetBlocks([at('a', '10.0.1.10'), at('b', '10.0.1.10')])).toThrow(
    '`--head` must not have 10.0.1.10 in another subnet of vpc-1 than `--base`, got: a and b, which cannot both hold it',
  );
});
