import { describe, expect, it } from 'vitest';
import type { Attributes } from '../../../../src/cloud/table/row.js';
import { vpcSecurityGroup, vpcSubnet, vpcVpc } from '../../../../src/cloud/table/vpc.js';
import {
  fromProperties,
  makePatch,
  toProperties,
} from '../../../../src/sandbox/provider/cloud/state-conversion.js';
import { nullObject, type ObjectValue, UNKNOWN } from '../../../../src/sandbox/provider/value.js';

const VPC: Attributes = vpcVpc.attributes;
const NO_VPC = nullObject(VPC);

describe('what the cloud is asked for', () => {
  it('has the names of its API and leaves out what is unset, unknown, empty or computed', () => {
    const planned: ObjectValue = {
      ...NO_VPC,
      vpc_name: 'a',
      ipv_4_gateway_id: 'g',
      dns_servers: [],
      subnet_ids: UNKNOWN,
      tags: [{ key: 'k', value: UNKNOWN }],
      status: 'Available',
      id: 'vpc-1',
    };
    expect(toProperties(VPC, planned)).toEqual({
      VpcName: 'a',
      Ipv4GatewayId: 'g',
      Tags: [{ Key: 'k' }],
    });
  });

  it('takes an integer that came as text for a number', () => {
    const attributes: Attributes = { bps: { is: 'number', mode: 'optional' } };
    expect(toProperties(attributes, { bps: '12' })).toEqual({ Bps: 12 });
    expect(toProperties(attributes, { bps: 12n })).toEqual({ Bps: 12 });
  });
});

describe('a state', () => {
  it('has every attribute, null where the cloud has nothing', () => {
    const state = fromProperties(vpcSubnet.attributes, {
      VpcId: 'vpc-1',
      TotalIpv4Count: 252,
      RouteTable: { RouteTableId: 'rt-1' },
      Unheard: { of: true },
    });
    expect(state).toEqual({
      ...nullObject(vpcSubnet.attributes),
      vpc_id: 'vpc-1',
      total_ipv_4_count: 252,
      route_table: { route_table_id: 'rt-1', route_table_type: null },
    });
  });

  it("leaves the cloud's own tags out", () => {
    const tags = ['sys:a', 'volc:b', 'mine'].map((Key) => ({ Key, Value: 'v' }));
    expect(fromProperties(VPC, { Tags: tags }).tags).toEqual([{ key: 'mine', value: 'v' }]);
    expect(fromProperties(VPC, { Tags: tags.slice(0, 2) }).tags).toBeNull();
  });

  it('refuses a property of another type by its name', () => {
    expect(() => fromProperties(VPC, { DnsServers: 'x' })).toThrow(
      "The cloud's property DnsServers is not of the type set(string).",
    );
    expect(() => fromProperties(VPC, { VpcName: 1 })).toThrow('VpcName is not of the type string');
  });
});

describe('a patch', () => {
  const prior = { ...NO_VPC, vpc_name: 'a', description: 'b', tags: [{ key: 'k', value: 'v' }] };

  it('touches only what the plan changes', () => {
    const planned = { ...prior, vpc_name: 'c', dns_servers: ['10.0.0.2'] };
    expect(makePatch(VPC, prior, planned, { VpcName: 'x', Description: 'x' })).toEqual([
      { op: 'add', path: '/DnsServers', value: ['10.0.0.2'] },
      { op: 'replace', path: '/VpcName', value: 'c' },
    ]);
  });

  it('removes what is there and no longer wanted', () => {
    const planned = { ...prior, description: null };
    expect(makePatch(VPC, prior, planned, { Description: 'b' })).toEqual([
      { op: 'remove', path: '/Description' },
    ]);
  });

  it('compares a set with what the cloud has, and removes one that the plan leaves open', () => {
    const planned: ObjectValue = { ...prior, vpc_name: 'c', dns_servers: UNKNOWN };
    expect(makePatch(VPC, prior, planned, { DnsServers: ['10.0.0.2'], Status: 's' })).toEqual([
      { op: 'remove', path: '/DnsServers' },
      { op: 'replace', path: '/VpcName', value: 'c' },
    ]);
  });

  it('sends what is write-only where it changes, and never what is also fixed at creation', () => {
    const attributes: Attributes = {
      payer: { is: 'string', mode: 'optional-computed', writeOnly: true },
      zone: { is: 'string', mode: 'optional-computed', writeOnly: true, replaces: true },
    };
    const before = { payer: 'a', zone: 'a' };
    expect(makePatch(attributes, before, before, {})).toEqual([]);
    expect(makePatch(attributes, before, { payer: 'b', zone: 'b' }, {})).toEqual([
      { op: 'add', path: '/Payer', value: 'b' },
    ]);
  });

  it("keeps the cloud's own tags", () => {
    const hidden = { Key: 'sys:a', Value: 'v' };
    const planned = { ...prior, tags: [{ key: 'n', value: 'w' }] };
    expect(makePatch(VPC, prior, planned, { Tags: [{ Key: 'k', Value: 'v' }, hidden] })).toEqual([
      { op: 'replace', path: '/Tags', value: [{ Key: 'n', Value: 'w' }, hidden] },
    ]);
  });

  it('is empty where a set only changed its order', () => {
    const attributes: Attributes = vpcSecurityGroup.attributes;
    const rules = [{ priority: 1 }, { priority: 2 }];
    const before = { ...nullObject(attributes), ingress_permissions: rules };
    const after = { ...before, ingress_permissions: [...rules].reverse() };
    expect(makePatch(attributes, before, after, {})).toEqual([]);
  });
});
