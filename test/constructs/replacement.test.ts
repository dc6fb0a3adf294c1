import { Token } from 'cdktf';
import { describe, expect, test } from 'vitest';
import { PrivateNetwork } from '../../src/constructs/private-network.js';
import { hashGeneration } from '../../src/constructs/replacement.js';
import { endpointAddress } from '../../src/constructs/service-endpoint/make-endpoint.js';
import { onlyResource, resources, synth } from '../support/synth.js';

function network(cidr: string, subnets: Readonly<Record<string, string>>, name = 'n') {
  return synth((stack) => {
    new PrivateNetwork(stack, 'network', { network: { name, cidr, subnets } });
  });
}

describe('a generation', () => {
  test('changes with each of its parts', () => {
    const all = [
      hashGeneration('a', 'b'),
      hashGeneration('a', 'c'),
      hashGeneration('ab'),
      hashGeneration(),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  test('does not depend on tokens, which differ from synth to synth', () => {
    expect(hashGeneration(Token.asString({ one: 1 }))).toBe(
      hashGeneration(Token.asString({ two: 2 })),
    );
  });
});

describe('a network', () => {
  const names = (made: ReturnType<typeof network>) => [
    onlyResource(made, 'volcenginecc_vpc_vpc').vpc_name,
    onlyResource(made, 'volcenginecc_vpc_subnet').subnet_name,
  ];
  const before = names(network('10.0.0.0/16', { 'cn-beijing-a': '10.0.1.0/24' }));

  test('has other names where another CIDR replaces it', () => {
    const after = names(network('10.1.0.0/16', { 'cn-beijing-a': '10.1.1.0/24' }));
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  test('has another name for the subnet alone where only that is replaced', () => {
    const after = names(network('10.0.0.0/16', { 'cn-beijing-a': '10.0.2.0/24' }));
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  test('keeps its generation when it is renamed', () => {
    const [vpc] = names(network('10.0.0.0/16', { 'cn-beijing-a': '10.0.1.0/24' }, 'm'));
    expect(String(vpc).replace(/^m/, 'n')).toBe(before[0]);
  });

  test('remembers the size and the zone of each subnet where it lies', () => {
    const made = network('10.0.0.0/8', {
      'cn-beijing-a': '10.0.0.0/18',
      'cn-beijing-b': '10.1.17.0/24',
    });
    const remembered = Object.entries(resources(made, 'terraform_data')).map(
      ([name, { input }]) => [name.replace(/_[0-9A-F]{8}$/, ''), input],
    );
    expect(Object.fromEntries(remembered)).toEqual({
      'network_cn-beijing-a-in-10-0-0-0-18': { size: '/18' },
      'network_cn-beijing-b-in-10-1-16-0-20': { size: '/24' },
      'network_10-0-0-0-18-of': { zone: 'cn-beijing-a' },
      'network_10-1-17-0-24-of': { zone: 'cn-beijing-b' },
    });
  });
});

describe('the address of an endpoint', () => {
  test.each([
    ['10.0.1.0/24', 0x000000, '10.0.1.127'],
    ['10.0.1.0/24', 0xffffff, undefined],
    ['10.0.1.0/29', 0x000000, '10.0.1.3'],
    ['10.0.1.0/29', 0xffffff, undefined],
  ])('lies in the upper half of %s', (cidr, seed, exactly) => {
    const address = endpointAddress(cidr, seed.toString(16).padStart(6, '0'));
    if (exactly !== undefined) expect(address).toBe(exactly);
    const last = Number(address.split('.')[3]);
    const size = cidr.endsWith('/29') ? 8 : 256;
    expect(last).toBeGreaterThanOrEqual(size / 2 - 1);
    // The cloud keeps the last three.
    expect(last).toBeLessThan(size - 4);
  });
});
