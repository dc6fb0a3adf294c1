import { describe, expect, test } from 'vitest';
import { isRecognizable, plannedIdentifier, recognize } from '../../src/adopt/find-left-behind.js';
import type { ImportTarget } from '../../src/adopt/import-blocks.js';
import type { PlannedCreate } from '../../src/adopt/plan-stack.js';
import { verdictOn } from '../../src/adopt/verdict.js';
import { fwcenterControlPolicy } from '../../src/cloud/table/fwcenter.js';
import { markDescription, markTags } from '../../src/cloud/table/mark.js';
import { privatelinkVpcEndpointConnection } from '../../src/cloud/table/privatelink.js';
import { privatezoneRecord } from '../../src/cloud/table/privatezone.js';
import { vpcSecurityGroup } from '../../src/cloud/table/vpc.js';
import type { CloudObject } from '../../src/cloud-control/cloud-reader.js';

const MARK = { stack: 'api-access-a', address: 'volcenginecc_vpc_security_group.g' };
const OTHER = { ...MARK, stack: 'api-access-b' };
const rule = { cidr_ip: '10.0.0.0/8', port_start: 443, description: 'calls', prefix_list_id: '' };
const ruleThere = { CidrIp: '10.0.0.0/8', PortStart: 443, Description: 'calls', Priority: 10 };

function planned(
  row: PlannedCreate['row'],
  values: object,
  replaced: string[] = [],
): PlannedCreate {
  const ignored = new Set(['description']);
  const { address } = MARK;
  return { address, row, values: { ...values }, replaced, provider: 'volcenginecc', ignored };
}

const group = planned(vpcSecurityGroup, {
  vpc_id: 'vpc-1',
  security_group_name: 'agents',
  ingress_permissions: [rule, { ...rule, cidr_ip: '10.0.0.0/16' }],
  tags: markTags(MARK),
});

function object(properties: object, identifier = 'sg-1'): CloudObject {
  return { identifier, properties: { ...properties } };
}

const there = {
  VpcId: 'vpc-1',
  SecurityGroupName: 'agents',
  IngressPermissions: [{ ...ruleThere, CidrIp: '10.0.0.0/16' }, ruleThere],
  Tags: cloudTags(MARK),
};

function cloudTags(mark: typeof MARK) {
  const tags = markTags(mark).map(({ key, value }) => ({ Key: key, Value: value }));
  return [...tags, { Key: 'sys:owner', Value: 'x' }];
}

describe('recognizes', () => {
  test.each([
    ['the stack and address of its tags', group, there, 'yes'],
    ['no object of another environment', group, { ...there, Tags: cloudTags(OTHER) }, 'no'],
    ['no object without the mark', group, { ...there, Tags: [] }, 'no'],
    ['nothing before its tags are read', group, { VpcId: 'vpc-1' }, 'unknown'],
  ])('%s', (_, create, properties, answer) => {
    expect(recognize(create, object(properties))).toBe(answer);
  });

  test('a firewall policy by the end of its description, whatever its reason says', () => {
    const policy = planned(fwcenterControlPolicy, { description: markDescription('calls', MARK) });
    const described = (text: string) => recognize(policy, object({ Description: text }));
    expect(described(markDescription('calls to the service', MARK))).toBe('yes');
    expect(described(markDescription('calls', OTHER))).toBe('no');
    expect(described('calls')).toBe('no');
  });

  test('a record by zone, host, type and value, and only when all of them are known', () => {
    const record = planned(privatezoneRecord, {
      zid: 400_001,
      host: '@',
      type: 'A',
      value: '10.0.0.1',
    });
    const found = { ZID: '400001', Host: '@', Type: 'A', Value: '10.0.0.1', TTL: 60 };
    expect(recognize(record, object(found))).toBe('yes');
    expect(recognize(record, object({ ...found, Value: '10.0.0.2' }))).toBe('no');
    expect(recognize(record, object({ Host: '@' }))).toBe('unknown');
    const { value: _, ...unknownValue } = record.values;
    expect(isRecognizable({ ...record, values: unknownValue })).toBe(false);
  });

  test('an accepted connection by its identifier', () => {
    const ids = { service_id: 'epsvc-1', endpoint_id: 'ep-1' };
    expect(plannedIdentifier(planned(privatelinkVpcEndpointConnection, ids))).toBe('epsvc-1|ep-1');
    expect(plannedIdentifier(group)).toBeUndefined();
  });
});

describe('decides', () => {
  const decide = (objects: CloudObject[], chosen: ImportTarget[] = [], create = group) =>
    verdictOn({ create, objects }, chosen);

  test('to adopt what is as planned, in whatever order the cloud has the rules', () => {
    expect(decide([object(there)])).toMatchObject({ kind: 'adopt', identifier: 'sg-1' });
  });

  test('not to choose between two', () => {
    const two = [object(there), object(there, 'sg-2')];
    expect(decide(two)).toMatchObject({ kind: 'several', objects: two });
    const chosen = [{ address: MARK.address, id: 'sg-2' }];
    expect(decide(two, chosen)).toMatchObject({ kind: 'adopt', identifier: 'sg-2' });
    const absent = [{ address: MARK.address, id: 'sg-3' }];
    expect(decide(two, absent)).toMatchObject({ kind: 'several' });
  });

  test('not to adopt what differs, even if the next deploy changes it in place', () => {
    const narrowed = object({ ...there, IngressPermissions: [ruleThere] });
    expect(decide([narrowed])).toMatchObject({
      kind: 'differs',
      differences: [{ attribute: 'ingress_permissions', replaces: false }],
    });
    expect(decide([narrowed], [{ address: MARK.address, id: 'sg-1' }]).kind).toBe('differs');
  });

  test('not to adopt what Terraform would replace', () => {
    const elsewhere = object({ ...there, VpcId: 'vpc-2' });
    expect(decide([elsewhere])).toMatchObject({
      kind: 'differs',
      differences: [{ attribute: 'vpc_id', planned: 'vpc-1', actual: 'vpc-2', replaces: true }],
    });
  });

  test('not to adopt what was made to replace an object of the state', () => {
    const replacing = { ...group, replaced: ['sg-0'] };
    const chosen = [{ address: MARK.address, id: 'sg-1' }];
    expect(decide([object(there)], chosen, replacing)).toMatchObject({ kind: 'replacing' });
  });

  test('to leave out what the stack ignores', () => {
    const described = planned(vpcSecurityGroup, { ...group.values, description: 'new' });
    expect(decide([object(there)], [], described)).toMatchObject({ kind: 'adopt' });
  });
});
