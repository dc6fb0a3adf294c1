import { expect, test } from 'vitest';
import { clientVpcs, dialedPort, linkWay, toWorld } from '../../src/rehearse/ways/link-way.js';
import { pluginWay, readWays } from '../../src/rehearse/ways/ways.js';
import type { Cloud } from '../../src/sandbox/cloud/cloud.js';
import type { CloudState } from '../../src/sandbox/cloud/cloud-state.js';
import { lookUp } from '../../src/sandbox/network/names.js';
import { route, routeIn } from '../../src/sandbox/network/world.js';
import {
  API_HOST,
  SANDBOX_SERVICE,
  SERVICE_ADDRESSES,
  STATIC_API_HOST,
} from '../../src/sandbox/surroundings.js';
import {
  buildNetwork,
  ENDPOINT,
  emptyCloud,
  endpointInput,
  GROUP,
  RECORD,
  rule,
  SUBNET,
  subnetInput,
  ZONE,
} from '../sandbox/support.js';

function deployed() {
  const cloud = emptyCloud();
  const network = buildNetwork(cloud);
  const id = cloud.create(ENDPOINT, endpointInput(network));
  return { cloud, network, id };
}

function stateOf(cloud: Cloud, baseUrl: string, from = '10.20.9.9') {
  return wayOf(cloud, baseUrl, { from }).stateFor(from);
}

/** The way of a link, which the sandbox's own names and packet engine bear out. */
function wayOf(
  { state }: Cloud,
  baseUrl: string,
  {
    from = '10.20.9.9',
    service = SANDBOX_SERVICE,
    vpcs = undefined as readonly string[] | undefined,
  },
) {
  const seen = { cloud: state, reached: readWays(state, []) };
  const way = linkWay(seen, baseUrl, service, vpcs);
  const world = { ...toWorld(state, service), clientVpcs: vpcs };
  const { addresses } = lookUp(world, new URL(baseUrl).hostname);
  expect(addresses.toSorted()).toEqual(way.addresses.toSorted());
  const port = dialedPort(baseUrl);
  for (const to of addresses) {
    expect(way.isOpen(from, to), to).toBe(route(world, { from, to, port }) === 'open');
  }
  return way;
}

function domainOf(cloud: Cloud, id: string): string {
  return String(cloud.get(ENDPOINT, id).EndpointDomain);
}

test('a link is open where the group of its endpoint lets the client in', () => {
  const { cloud, id } = deployed();
  expect(stateOf(cloud, `https://${domainOf(cloud, id)}`)).toBe('open');
});

test('a link is dropped on a port that no rule names, and for a client that none names', () => {
  const { cloud, id } = deployed();
  expect(stateOf(cloud, `https://${domainOf(cloud, id)}:8443`)).toBe('dropped');
  expect(stateOf(cloud, `http://${domainOf(cloud, id)}`)).toBe('dropped');
  expect(stateOf(cloud, `https://${domainOf(cloud, id)}`, '10.99.0.1')).toBe('dropped');
});

test('a link to an endpoint that is gone has no name', () => {
  const { cloud, id } = deployed();
  const baseUrl = `https://${domainOf(cloud, id)}`;
  cloud.startDelete(ENDPOINT, id, '');
  expect(stateOf(cloud, baseUrl)).toBe('no-name');
});

test('a link is partly open where one of its addresses is nobody’s', () => {
  const { cloud, network, id } = deployed();
  const name = 'api.sandbox.example';
  const zone = cloud.create('Volcengine::PrivateZone::PrivateZone', {
    ZoneName: name,
    Vpcs: [{ Region: 'cn-beijing', VpcId: network.vpc }],
  });
  const [{ PrivateIpAddress: own = '' } = {}] = cloud.get(ENDPOINT, id).Zones as {
    PrivateIpAddress: string;
  }[];
  for (const value of [own, '10.20.1.200']) {
    const record = { ZID: Number(zone), Host: '@', Type: 'A', Value: value };
    cloud.create('Volcengine::PrivateZone::Record', record);
  }
  expect(stateOf(cloud, `https://${name}`)).toBe('partly');
});

test('the ways decide of a packet that the sandbox judges otherwise', () => {
  const { cloud, network, id } = deployed();
  const baseUrl = `https://${domainOf(cloud, id)}`;
  const open = structuredClone(cloud.state);
  const closed = [{ op: 'replace' as const, path: '/IngressPermissions', value: [] }];
  cloud.startUpdate(GROUP, network.group, closed, '');
  const stateIn = (sandbox: CloudState, ways: CloudState) => {
    const seen = { cloud: sandbox, reached: readWays(ways, []) };
    return linkWay(seen, baseUrl, SANDBOX_SERVICE).stateFor('10.20.9.9');
  };
  expect(stateIn(cloud.state, open)).toBe('open');
  expect(stateIn(open, cloud.state)).toBe('dropped');
});

test('the name of a link is asked for in the VPC of its endpoint, whatever other VPCs have for it', () => {
  const cloud = emptyCloud();
  const ends = [1, 2].map(() => {
    const network = buildNetwork(cloud);
    const [zone] = cloud.get(ENDPOINT, cloud.create(ENDPOINT, endpointInput(network))).Zones as {
      PrivateIpAddress: string;
    }[];
    return { vpc: network.vpc, address: zone?.PrivateIpAddress ?? '' };
  });
  // Both VPCs have the same addresses, so the second endpoint gets another one.
  const [first, second] = ends.map((one, i) => ({ ...one, address: `10.20.1.${77 + i}` }));
  for (const [i, end] of [first, second].entries()) {
    const zones = Object.values(cloud.state.resources[ENDPOINT] ?? {})[i]?.Zones;
    Object.assign((zones as object[])[0] ?? {}, { PrivateIpAddress: end?.address });
    const Vpcs = [{ Region: 'cn-beijing', VpcId: end?.vpc ?? '' }];
    const zone = cloud.create(ZONE, { ZoneName: API_HOST, RecursionMode: true, Vpcs });
    cloud.create(RECORD, { ZID: Number(zone), Host: '@', Type: 'A', Value: end?.address ?? '' });
  }
  const waysOf = (address = '') => {
    const link = { via: 'service-endpoint' as const, expectedAddresses: [`${address}/32`] };
    const vpcs = clientVpcs(cloud.state, link, SANDBOX_SERVICE);
    return { vpcs, addresses: wayOf(cloud, `https://${API_HOST}`, { vpcs }).addresses };
  };
  for (const end of [first, second]) {
    const { vpc, address } = end ?? { vpc: '', address: '' };
    expect(waysOf(address)).toEqual({ vpcs: [vpc], addresses: [address] });
  }
  expect(waysOf('10.20.1.99').vpcs).toBeUndefined();
  const egress = { via: 'fixed-ip-egress' as const, expectedAddresses: [] };
  const group = cloud.create(GROUP, { VpcId: second?.vpc ?? '' });
  const named = { workloadGroups: { egress: [group] } };
  expect(clientVpcs(cloud.state, egress, named)).toEqual([second?.vpc]);
  expect(clientVpcs(cloud.state, egress, {})).toBeUndefined();
});

test('workloads get to the fixed addresses that all of their groups and the firewall let them call', () => {
  const { cloud, network } = deployed();
  const [address = '', other = ''] = SERVICE_ADDRESSES;
  const out = rule({ CidrIp: `${address}/32`, Description: 'service' });
  const group = cloud.create(GROUP, { VpcId: network.vpc, EgressPermissions: [out] });
  const service = {
    ...SANDBOX_SERVICE,
    fixedAddresses: [address],
    workloadGroups: { egress: [group] },
  };
  const stateFor = (fixed: string) => {
    const own = { ...service, fixedAddresses: [fixed] };
    return wayOf(cloud, `https://${STATIC_API_HOST}`, { service: own }).stateFor('10.20.9.9');
  };
  expect([address, other].map(stateFor)).toEqual(['open', 'dropped']);
  const deny = {
    ...{ Direction: 'out', Action: 'deny', Source: '0.0.0.0/0', SourceType: 'net' },
    ...{
      Destination: `${address}/32`,
      DestinationType: 'net',
      Proto: 'ANY',
      Prio: 1,
      Status: true,
    },
  };
  cloud.create('Volcengine::FWCenter::ControlPolicy', deny);
  expect(stateFor(address)).toBe('dropped');
  cloud.startDelete(GROUP, group, '');
  expect(stateFor(other)).toBe('dropped');
});

test('an endpoint service without a connection is not connected', () => {
  const { cloud } = deployed();
  const way = pluginWay(readWays(cloud.state, []), 'epsvc-none');
  expect(way).toEqual({ state: 'not-connected' });
});

test('calls of a fixed-IP plugin come in where a group lets their addresses in', () => {
  const { cloud, network } = deployed();
  cloud.create(SUBNET, subnetInput(network.vpc, { CidrBlock: '10.20.2.0/24' }));
  const ingress = { CidrIp: '198.51.100.11/32', Description: 'calls', Policy: 'accept' };
  cloud.create(GROUP, {
    VpcId: network.vpc,
    IngressPermissions: [
      { ...ingress, PortStart: 8443, PortEnd: 8443, Priority: 10, Protocol: 'tcp' },
    ],
  });
  const world = { cloud: cloud.state, faults: new Set<never>(), service: SANDBOX_SERVICE };
  const call = (from: string) => routeIn(world, { from, to: '10.20.1.10', port: 8443 });
  expect(['198.51.100.11', '198.51.100.12'].map(call)).toEqual(['open', 'dropped']);
});
