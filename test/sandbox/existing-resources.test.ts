import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addExistingResources } from '../../src/sandbox/existing-resources.js';
import {
  BALANCER,
  emptyCloud,
  GROUP,
  SUBNET,
  sandboxForTest,
  temporaryFolder,
  VPC,
} from './support.js';

/** The file that the documentation shows. */
const EXAMPLE = /```json\n([\s\S]*?)```/.exec(readFileSync('docs/sandbox.md', 'utf8'))?.[1] ?? '';

function fileWith(text: string): string {
  const file = join(temporaryFolder(), 'existing.json');
  writeFileSync(file, text);
  return file;
}

test('a sandbox has what its file names, under the given ids', async () => {
  const sandbox = await sandboxForTest({ existing: fileWith(EXAMPLE) });
  expect(sandbox.cloud.get(VPC, 'vpc-1a2b')).toMatchObject({
    VpcId: 'vpc-1a2b',
    CidrBlock: '10.40.0.0/16',
    SubnetIds: ['subnet-1a2b'],
    SecurityGroupIds: ['sg-1a2b'],
    RouteTableIds: [expect.stringMatching(/^vtb-/)],
  });
  expect(sandbox.cloud.get(SUBNET, 'subnet-1a2b')).toMatchObject({ VpcId: 'vpc-1a2b' });
  expect(sandbox.cloud.get(GROUP, 'sg-1a2b')).toMatchObject({ SecurityGroupId: 'sg-1a2b' });
  expect(sandbox.cloud.get(BALANCER, 'clb-1a2b')).toMatchObject({ VpcId: 'vpc-1a2b' });
});

test('what is there already stays as it is', () => {
  const cloud = emptyCloud();
  const vpc = (cidr: string) =>
    fileWith(JSON.stringify({ volcenginecc_vpc_vpc: { 'vpc-1': { cidr_block: cidr } } }));
  addExistingResources(cloud, vpc('10.1.0.0/16'));
  addExistingResources(cloud, vpc('10.2.0.0/16'));
  expect(cloud.get(VPC, 'vpc-1')).toMatchObject({ CidrBlock: '10.1.0.0/16' });
});

describe('a file is refused in one line', () => {
  const subnet = { vpc_id: 'vpc-none', cidr_block: '10.1.1.0/24', zone_id: 'cn-beijing-a' };
  test.each([
    ['{', 'must name a readable JSON file'],
    ['[]', 'must name a JSON object'],
    [{ constructor: {} }, '`constructor` must be one of'],
    [{ volcenginecc_privatelink_vpc_endpoint_connection: {} }, 'must be one of'],
    [
      { volcenginecc_vpc_vpc: { 'vpc-1': { cidr: '10.1.0.0/16' } } },
      '`volcenginecc_vpc_vpc.vpc-1.cidr` is no attribute',
    ],
    [
      { volcenginecc_vpc_vpc: { 'vpc-1': { cidr_block: '8.8.8.0/24' } } },
      'must be a private IPv4 network',
    ],
    [{ volcenginecc_vpc_subnet: { 'subnet-1': subnet } }, '`VpcId` names nothing that exists'],
  ])('%j', (content, message) => {
    const file = fileWith(typeof content === 'string' ? content : JSON.stringify(content));
    const add = () => addExistingResources(emptyCloud(), file);
    expect(add).toThrow(message);
    expect(add).toThrow(expect.objectContaining({ code: 'usage.invalid' }));
  });
});
