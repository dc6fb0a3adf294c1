import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { importBlocks, readStack } from '../../src/adopt/import-blocks.js';
import { synthesized } from '../stacks/every-option.js';

const VPC = 'volcenginecc_vpc_vpc.network';
const CONNECTION = 'volcenginecc_privatelink_vpc_endpoint_connection.c';
const POLICY = 'volcenginecc_fwcenter_control_policy.p';

test('prints a block where the id is given, and the form of the id elsewhere', () => {
  expect(importBlocks([VPC, CONNECTION], [{ address: VPC, id: 'vpc-1a2b' }])).toBe(
    [
      'import {',
      `  to = ${VPC}`,
      '  id = "vpc-1a2b"',
      '}',
      '',
      '# import {',
      `#   to = ${CONNECTION}`,
      '#   id = "<ServiceId>|<EndpointId>"',
      '# }',
      '',
    ].join('\n'),
  );
});

test('joins the parts of an id in the order of the provider', () => {
  const blocks = importBlocks(
    [CONNECTION, POLICY],
    [
      { address: CONNECTION, id: 'epsvc-1|ep-1' },
      { address: POLICY, id: 'policy-1|out' },
    ],
  );
  expect(blocks).toContain('id = "epsvc-1|ep-1"');
  expect(blocks).toContain('id = "policy-1|out"');
});

test('leaves out what is not in the cloud', () => {
  expect(importBlocks(['null_resource.check'], [])).toBe('');
});

describe('refuses', () => {
  test.each([
    [
      'a resource of another stack',
      { address: 'volcenginecc_vpc_vpc.other', id: 'vpc-1' },
      '`--id` must name a cloud resource of the stack, got: "volcenginecc_vpc_vpc.other"',
    ],
    [
      'half an id',
      { address: CONNECTION, id: 'ep-1' },
      `\`--id\` of ${CONNECTION} must be <ServiceId>|<EndpointId>, got: "ep-1"`,
    ],
    ['no id', { address: VPC, id: '' }, `\`--id\` of ${VPC} must be <VpcId>, got: ""`],
    ['an expression', { address: VPC, id: '${file("x")}' }, 'must be <VpcId>, got:'],
  ])('%s', (_, target, message) => {
    expect(() => importBlocks([VPC, CONNECTION], [target])).toThrow(message);
  });

  test('a folder without a stack', async () => {
    expect(() => readStack('nowhere')).toThrow(
      '`<stack>` must be a synthesized stack with a cdk.tf.json, got: "nowhere"; run secure-connectivity synth',
    );
  });
});

describe('of a real stack', () => {
  const folder = mkdtempSync(join(tmpdir(), 'import-blocks-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('knows the form of the id of every resource', async () => {
    for (const stack of ['api-access', 'plugin-access'] as const) {
      writeFileSync(join(folder, 'cdk.tf.json'), synthesized(stack).text);
      const addresses = readStack(folder);
      expect(addresses.length).toBeGreaterThan(10);
      const blocks = importBlocks(addresses, []);
      expect(blocks).not.toContain('<>');
    }
  });
});
