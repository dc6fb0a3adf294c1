import { Token } from 'cdktf';
import { describe, expect, test } from 'vitest';
import type { IPrivateNetwork } from '../../src/constructs/network-props.js';
import { PrivateNetwork, type PrivateNetworkProps } from '../../src/constructs/private-network.js';
import { onlyResource, resources, synth } from '../support/synth.js';

const fresh = { name: 'n', cidr: '10.0.0.0/16', subnets: { 'cn-beijing-a': '10.0.1.0/24' } };

const attributes = {
  vpcId: 'vpc-1',
  cidrs: ['10.0.0.0/16'],
  subnets: { 'cn-beijing-a': { subnetId: 'subnet-1', cidr: '10.0.1.0/24' } },
};

function build(network: PrivateNetworkProps['network'], more: Partial<PrivateNetworkProps> = {}) {
  return synth((stack) => {
    new PrivateNetwork(stack, 'network', { network, ...more });
  });
}

test('makes a VPC and a subnet for each zone', () => {
  const made = build({ ...fresh, subnets: { ...fresh.subnets, 'cn-beijing-b': '10.0.2.0/24' } });
  expect(onlyResource(made, 'volcenginecc_vpc_vpc')).toMatchObject({
    vpc_name: expect.stringMatching(/^n-[0-9a-f]{6}$/),
    cidr_block: '10.0.0.0/16',
  });
  expect(
    Object.values(resources(made, 'volcenginecc_vpc_subnet')).map(
      ({ zone_id, cidr_block, subnet_name }) => [zone_id, cidr_block, subnet_name],
    ),
  ).toEqual([
    ['cn-beijing-a', '10.0.1.0/24', expect.stringMatching(/^n-cn-beijing-a-[0-9a-f]{6}$/)],
    ['cn-beijing-b', '10.0.2.0/24', expect.stringMatching(/^n-cn-beijing-b-[0-9a-f]{6}$/)],
  ]);
});

test('puts project and tags on what can have them', () => {
  const made = build(fresh, { projectName: 'p', tags: { ticket: 'T-1', owner: 'me' } });
  const tags = expect.arrayContaining([
    { key: 'owner', value: 'me' },
    { key: 'ticket', value: 'T-1' },
  ]);
  expect(onlyResource(made, 'volcenginecc_vpc_vpc')).toMatchObject({ project_name: 'p', tags });
  expect(onlyResource(made, 'volcenginecc_vpc_subnet')).toMatchObject({ tags });
});

describe('from attributes', () => {
  test('makes and changes nothing, and takes ids that are tokens', () => {
    const vpcId = Token.asString({ resolve: () => '${var.vpc_id}' });
    let network: IPrivateNetwork | undefined;
    const made = synth((stack) => {
      network = PrivateNetwork.fromAttributes(stack, 'network', { ...attributes, vpcId });
    });
    expect(made.json.resource).toBeUndefined();
    expect(network).toMatchObject({ vpcId, cidrs: ['10.0.0.0/16'], resources: [] });
    expect(network?.subnets.get('cn-beijing-a')).toMatchObject({ subnetId: 'subnet-1' });
  });
});

describe('refuses', () => {
  test.each<[string, Partial<typeof fresh>, string]>([
    [
      'a public range',
      { cidr: '203.0.113.0/24', subnets: { 'cn-beijing-a': '203.0.113.0/25' } },
      '`cidr` must lie in 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 with a mask of at most /24, got: "203.0.113.0/24"',
    ],
    [
      'a VPC that is too small',
      { cidr: '10.0.1.0/25', subnets: { 'cn-beijing-a': '10.0.1.0/25' } },
      '`cidr` must lie in',
    ],
    [
      'a subnet outside',
      { subnets: { 'cn-beijing-a': '10.1.0.0/24' } },
      '`subnets.cn-beijing-a` must lie in the network 10.0.0.0/16, got: "10.1.0.0/24"',
    ],
    [
      'subnets that overlap',
      { subnets: { 'cn-beijing-a': '10.0.0.0/23', 'cn-beijing-b': '10.0.1.0/24' } as never },
      '`subnets.cn-beijing-b` overlaps `subnets.cn-beijing-a`, got: "10.0.1.0/24"',
    ],
    [
      'a zone of another region',
      { subnets: { 'cn-shanghai-a': '10.0.1.0/24' } as never },
      '`subnets` must be in zones of North China 2, the region of the service, such as cn-beijing-a, got: "cn-shanghai-a"',
    ],
    [
      'a network that is not known yet',
      { cidr: Token.asString({ resolve: () => '${var.cidr}' }) },
      '`cidr` must be a literal: access rules are reviewed before the deploy; got: a token',
    ],
    ['no subnet', { subnets: {} as never }, '`subnets` must name at least one zone'],
    [
      'host bits',
      { cidr: '10.0.0.1/16' },
      '`cidr` has host bits set; the network is 10.0.0.0/16, got: "10.0.0.1/16"',
    ],
  ])('%s', (_, change, message) => {
    expect(() => build({ ...fresh, ...change })).toThrow(message);
  });

  test('one subnet for two zones', () => {
    const shared = { subnetId: 'subnet-1', cidr: '10.0.1.0/24' };
    const subnets = {
      'cn-beijing-a': shared,
      'cn-beijing-b': { ...shared, cidr: '10.0.2.0/24' },
    };
    expect(() =>
      synth((stack) => {
        PrivateNetwork.fromAttributes(stack, 'network', { ...attributes, subnets });
      }),
    ).toThrow(
      '`subnets.cn-beijing-b` must differ from the subnets of the other zones, got: "subnet-1"',
    );
  });
});
