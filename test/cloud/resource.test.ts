import { expect, test } from 'vitest';
import { cloud } from '../../src/cloud/resource.js';
import { onlyResource, synth } from '../support/synth.js';

const rule = {
  direction: 'ingress',
  policy: 'accept',
  protocol: 'tcp',
  portStart: 443,
  portEnd: 443,
  priority: 10,
  cidrIp: '10.0.0.0/8',
  description: 'calls',
} as const;

test('writes attributes under their names in Terraform, nested ones too', () => {
  const made = synth((stack) => {
    new cloud.VpcSecurityGroup(stack, 'group', { vpcId: 'vpc-1', ingressPermissions: [rule] });
  });
  expect(onlyResource(made, 'volcenginecc_vpc_security_group')).toMatchObject({
    vpc_id: 'vpc-1',
    ingress_permissions: [{ cidr_ip: '10.0.0.0/8', port_start: 443 }],
  });
});

test('spells out what a rule has no use for, or the provider takes it from another rule', () => {
  const made = synth((stack) => {
    const { cidrIp: _, ...listed } = { ...rule, prefixListId: 'pl-1' };
    new cloud.VpcSecurityGroup(stack, 'group', {
      vpcId: 'vpc-1',
      ingressPermissions: [rule, listed],
    });
  });
  expect(onlyResource(made, 'volcenginecc_vpc_security_group').ingress_permissions).toMatchObject([
    { cidr_ip: '10.0.0.0/8', prefix_list_id: '', source_group_id: '' },
    { cidr_ip: '', prefix_list_id: 'pl-1', source_group_id: '' },
  ]);
});

test('refers to attributes of other resources', () => {
  const made = synth((stack) => {
    const vpc = new cloud.VpcVpc(stack, 'vpc', { cidrBlock: '10.0.0.0/16' });
    new cloud.VpcSubnet(stack, 'subnet', {
      vpcId: vpc.attributes.vpcId,
      zoneId: 'cn-beijing-a',
      cidrBlock: '10.0.1.0/24',
    });
  });
  expect(onlyResource(made, 'volcenginecc_vpc_subnet').vpc_id).toBe(
    '${volcenginecc_vpc_vpc.vpc.vpc_id}',
  );
});

test('does not compile with a misspelled attribute, and refuses it when run', () => {
  expect(() =>
    synth((stack) => {
      // @ts-expect-error: vpcNmae is no attribute
      new cloud.VpcVpc(stack, 'vpc', { vpcNmae: 'x' });
    }),
  ).toThrow(
    expect.objectContaining({
      code: 'usage.invalid',
      message: expect.stringContaining('`vpcNmae` is not an attribute'),
    }),
  );
});

test('does not compile with a misspelled nested attribute, and refuses it when run', () => {
  expect(() =>
    synth((stack) => {
      new cloud.VpcSecurityGroup(stack, 'group', {
        vpcId: 'vpc-1',
        // @ts-expect-error: cidrIpp is no attribute
        ingressPermissions: [{ ...rule, cidrIpp: '10.0.0.0/8' }],
      });
    }),
  ).toThrow('`ingressPermissions[0].cidrIpp` is not an attribute');
});

test('refuses a computed attribute', () => {
  expect(() =>
    synth((stack) => {
      // @ts-expect-error: endpointDomain is the cloud's
      new cloud.PrivatelinkVpcEndpoint(stack, 'endpoint', { endpointDomain: 'x.example' });
    }),
  ).toThrow('`endpointDomain` is not an attribute');
});

test('names every mistake at once, with the path of the resource', () => {
  const group = { ...rule, priority: 101, description: 'see https://example.com' };
  expect(() =>
    synth((stack) => {
      new cloud.VpcSecurityGroup(stack, 'group', { vpcId: 'vpc-1', ingressPermissions: [group] });
    }),
  ).toThrow(
    [
      'test/group (volcenginecc_vpc_security_group) is not valid:',
      '  `ingressPermissions[0].priority` must be 1 to 100, got: 101',
      '  `ingressPermissions[0].description` must be plain text: letters, digits, Chinese characters, blanks and `, . _ - =`, got: "see https://example.com"',
    ].join('\n'),
  );
});

test.each<[string, object, string]>([
  [
    'a required attribute left out',
    { zoneId: 'a', cidrBlock: '10.0.0.0/24' },
    '`vpcId` is required',
  ],
  [
    'a number for a text',
    { vpcId: 1, zoneId: 'a', cidrBlock: '10.0.0.0/24' },
    '`vpcId` must be a string, got: 1',
  ],
  [
    'host bits',
    { vpcId: 'v', zoneId: 'a', cidrBlock: '10.0.0.1/24' },
    'it has host bits set; the network is 10.0.0.0/24',
  ],
  [
    'a name with a slash',
    { vpcId: 'v', zoneId: 'a', cidrBlock: '10.0.0.0/24', subnetName: 'a/b' },
    '`subnetName` must be a name',
  ],
  [
    'a name that is too long',
    { vpcId: 'v', zoneId: 'a', cidrBlock: '10.0.0.0/24', subnetName: 'a'.repeat(129) },
    '`subnetName` must be 1 to 128 bytes long',
  ],
  [
    'a Chinese name of too many bytes',
    { vpcId: 'v', zoneId: 'a', cidrBlock: '10.0.0.0/24', subnetName: '名'.repeat(43) },
    '`subnetName` must be 1 to 128 bytes long',
  ],
  [
    'an empty list',
    { vpcId: 'v', zoneId: 'a', cidrBlock: '10.0.0.0/24', tags: [] },
    '`tags` must be omitted rather than empty',
  ],
  [
    'a tag of the cloud',
    { vpcId: 'v', zoneId: 'a', cidrBlock: '10.0.0.0/24', tags: [{ key: 'sys:x' }] },
    '`tags[0].key` must be a tag key',
  ],
])('refuses %s', (_, config, message) => {
  expect(() => synth((stack) => new cloud.VpcSubnet(stack, 'subnet', config as never))).toThrow(
    message,
  );
});

test('lets values pass that are known only after the deploy', () => {
  const made = synth((stack) => {
    const vpc = new cloud.VpcVpc(stack, 'vpc', {});
    new cloud.VpcSecurityGroup(stack, 'group', {
      vpcId: vpc.attributes.id,
      ingressPermissions: [{ ...rule, cidrIp: vpc.attributes.cidrBlock }],
    });
  });
  expect(made.text).toContain('${volcenginecc_vpc_vpc.vpc.cidr_block}');
});
