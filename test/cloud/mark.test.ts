import { expect, test } from 'vitest';
import { cloud } from '../../src/cloud/resource.js';
import { markDescription } from '../../src/cloud/table/mark.js';
import { onlyResource, synth } from '../support/synth.js';

const ADDRESS = 'volcenginecc_vpc_vpc.network';

const tagsOf = (id: string, tags?: { key: string; value: string }[]) =>
  onlyResource(
    synth((stack) => new cloud.VpcVpc(stack, id, { tags })),
    'volcenginecc_vpc_vpc',
  ).tags;

test('marks what has tags with the stack and the address', () => {
  expect(tagsOf('network', [{ key: 'owner', value: 'me' }])).toEqual([
    { key: 'owner', value: 'me' },
    { key: 'secure-connectivity:address', value: ADDRESS },
    { key: 'secure-connectivity:stack', value: 'test' },
  ]);
});

test('leaves a tag where the settings name none', () => {
  expect(tagsOf('network')).toHaveLength(2);
});

test('marks firewall policies, which have no tags, at the end of the description', () => {
  const made = synth((stack) => {
    new cloud.FwcenterControlPolicy(stack, 'close', {
      action: 'deny',
      direction: 'out',
      proto: 'ANY',
      source: '198.51.100.7/32',
      sourceType: 'net',
      destination: '0.0.0.0/0',
      destinationType: 'net',
      description: 'closed but for the policies above',
    });
  });
  expect(onlyResource(made, 'volcenginecc_fwcenter_control_policy').description).toMatch(
    /^closed but for the policies above, test [0-9a-f]{8}$/,
  );
});

test('gives each stack and each address a description of its own', () => {
  const marks = [
    { stack: 'api-access-a', address: ADDRESS },
    { stack: 'api-access-b', address: ADDRESS },
    { stack: 'api-access-a', address: `${ADDRESS}2` },
  ];
  const described = marks.map((mark) => markDescription('closed', mark));
  expect(new Set(described).size).toBe(3);
});

test('leaves alone what is known by its references', () => {
  const made = synth((stack) => {
    new cloud.PrivatezoneRecord(stack, 'record', {
      zid: 1,
      host: '@',
      type: 'A',
      value: '10.0.0.1',
    });
  });
  expect(onlyResource(made, 'volcenginecc_privatezone_record')).toEqual({
    zid: 1,
    host: '@',
    type: 'A',
    value: '10.0.0.1',
  });
});

test('follows a resource that is moved, and replaces nothing', () => {
  const made = synth((stack) => {
    const vpc = new cloud.VpcVpc(stack, 'renamed', { vpcName: 'agents' });
    vpc.moveFromId(ADDRESS);
  });
  const { tags, ...rest } = onlyResource(made, 'volcenginecc_vpc_vpc');
  expect(rest).toEqual({ vpc_name: 'agents' });
  expect(tags).toContainEqual({
    key: 'secure-connectivity:address',
    value: 'volcenginecc_vpc_vpc.renamed',
  });
  expect(cloud.VpcVpc.row.attributes.tags).not.toHaveProperty('replaces');
});

test.each([
  [
    'a tag of the package',
    [{ key: 'secure-connectivity:stack', value: 'x' }],
    'must have keys that do not',
  ],
  [
    'more tags than the cloud takes beside the mark',
    Array.from({ length: 19 }, (_, index) => ({ key: `t${index}`, value: '' })),
    '`tags` must be at most 18, got: 19; two more are added',
  ],
])('refuses %s', (_, tags, message) => {
  expect(() =>
    synth((stack) => {
      const config = { vpcId: 'v', zoneId: 'a', cidrBlock: '10.0.0.0/24', tags };
      new cloud.VpcSubnet(stack, 'subnet', config);
    }),
  ).toThrow(message);
});
