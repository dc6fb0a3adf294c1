import { describe, expect, test } from 'vitest';
import type { Cloud } from '../../../src/sandbox/cloud/cloud.js';
import type { FaultName } from '../../../src/sandbox/faults/index.js';
import type { JsonObject } from '../../../src/sandbox/json.js';
import { findClientAddress } from '../../../src/sandbox/network/places.js';
import { findEndpoints, route, type World } from '../../../src/sandbox/network/world.js';
import { SANDBOX_SERVICE } from '../../../src/sandbox/surroundings.js';
import {
  buildEndpoint,
  buildNetwork,
  ENDPOINT,
  emptyCloud,
  endpointInput,
  GROUP,
  rule,
  SUBNET,
  subnetInput,
} from '../support.js';

const flight = { from: '10.20.1.252', to: '10.20.1.1', port: 443 };

function world(cloud: Cloud, ...faults: FaultName[]): World {
  return { cloud: cloud.state, faults: new Set(faults), service: SANDBOX_SERVICE };
}

function withRules(rules: JsonObject[]): World {
  const cloud = emptyCloud();
  buildEndpoint(cloud, rules);
  return world(cloud);
}

const drop = (facts: JsonObject = {}) => rule({ Policy: 'drop', ...facts });

describe('the route to an address', () => {
  test('is open where the rules let the client in', () => {
    expect(route(withRules([rule()]), flight)).toBe('open');
  });

  test('does not exist where no endpoint has the address', () => {
    expect(route(withRules([rule()]), { ...flight, to: '10.20.1.2' })).toBe('no-route');
    expect(route(world(emptyCloud()), flight)).toBe('no-route');
  });

  test('is not connected while the connection waits for acceptance', () => {
    const cloud = emptyCloud();
    buildEndpoint(cloud);
    expect(route(world(cloud, 'pending-acceptance'), flight)).toBe('not-connected');
  });

  test.each([
    ['no rule', []],
    ['a rule for another port', [rule({ PortStart: 80, PortEnd: 80 })]],
    ['a rule for another network', [rule({ CidrIp: '10.30.0.0/16' })]],
    ['a rule for another protocol', [rule({ Protocol: 'udp' })]],
    ['a drop before the accept', [rule(), drop({ Priority: 1 })]],
    ['a drop beside the accept', [rule(), drop()]],
    ['a rule for a group that the client is not in', [rule({ CidrIp: '', SourceGroupId: 'self' })]],
  ])('is dropped with %s', (_, rules) => {
    const cloud = emptyCloud();
    const network = buildNetwork(cloud, []);
    const own = rules.map((each) =>
      'SourceGroupId' in each ? { ...each, SourceGroupId: network.group } : each,
    );
    const patch = [{ op: 'replace', path: '/IngressPermissions', value: own }];
    cloud.startUpdate(GROUP, network.group, patch, '');
    cloud.create(ENDPOINT, endpointInput(network));
    expect(route(world(cloud), flight)).toBe('dropped');
  });

  test.each([
    ['an accept before the drop', [rule({ Priority: 1 }), drop({ Priority: 2 })]],
    ['a range of ports', [rule({ PortStart: 400, PortEnd: 500 })]],
    ['every protocol', [rule({ Protocol: 'all', PortStart: -1, PortEnd: -1 })]],
    ['the address block before the group', [rule({ SourceGroupId: '' })]],
  ])('is open with %s', (_, rules) => {
    expect(route(withRules(rules), flight)).toBe('open');
  });

  test('joins the rules of all groups of the endpoint', () => {
    const cloud = emptyCloud();
    const network = buildNetwork(cloud, []);
    const second = (rules: JsonObject[]) =>
      cloud.create(GROUP, { VpcId: network.vpc, IngressPermissions: rules });
    const opening = second([rule({ Priority: 5 })]);
    const groups = [network.group, opening];
    const id = cloud.create(ENDPOINT, endpointInput(network, { SecurityGroupIds: groups }));
    expect(route(world(cloud), flight)).toBe('open');
    const closing = second([drop({ Priority: 5 })]);
    const patch = [{ op: 'add', path: '/SecurityGroupIds/-', value: closing }];
    cloud.startUpdate(ENDPOINT, id, patch, '');
    expect(route(world(cloud), flight)).toBe('dropped');
  });

  test('is open to a member of a group that the rules name', () => {
    const cloud = emptyCloud();
    const network = buildNetwork(cloud, []);
    const rules = [rule({ CidrIp: '', SourceGroupId: network.group })];
    const patch = [{ op: 'replace', path: '/IngressPermissions', value: rules }];
    cloud.startUpdate(GROUP, network.group, patch, '');
    cloud.create(ENDPOINT, endpointInput(network));
    cloud.create(ENDPOINT, endpointInput(network));
    expect(route(world(cloud), { ...flight, from: '10.20.1.2' })).toBe('open');
  });

  test('is dropped while the fault closes the group', () => {
    const cloud = emptyCloud();
    buildEndpoint(cloud);
    expect(route(world(cloud, 'security-group-closed'), flight)).toBe('dropped');
  });
});

test("the client is at the end of the VPC's first subnet by zone", () => {
  const cloud = emptyCloud();
  const network = buildNetwork(cloud);
  const place = { CidrBlock: '10.20.0.0/24', ZoneId: 'cn-beijing-b' };
  cloud.create(SUBNET, subnetInput(network.vpc, place));
  cloud.create(ENDPOINT, endpointInput(network));
  const [endpoint] = findEndpoints(world(cloud));
  expect(endpoint && findClientAddress(world(cloud), endpoint.vpcId)).toBe('10.20.1.252');
});
