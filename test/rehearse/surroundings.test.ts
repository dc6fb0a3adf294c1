import { describe, expect, test } from 'vitest';
import { readTerraform } from '../../src/reach/read/terraform-json.js';
import type { RehearsedTree } from '../../src/rehearse/read-trees.js';
import { placeGivenResources } from '../../src/rehearse/stage/given-resources.js';
import { PluginConsole } from '../../src/rehearse/stage/stage.js';
import { findSurroundings } from '../../src/rehearse/stage/surroundings.js';
import { Cloud } from '../../src/sandbox/cloud/cloud.js';
import { connectPlugin, pluginRoute } from '../../src/sandbox/plugin/connections.js';
import { SANDBOX_SERVICE } from '../../src/sandbox/surroundings.js';
import {
  buildBalancer,
  buildService,
  CONNECTION,
  ENDPOINT,
  emptyCloud,
  GROUP,
  SERVICE_ACCOUNT,
  SUBNET,
  VPC,
} from '../sandbox/support.js';
import { NOTHING_UNDERSTOOD } from './understood.js';

function treeOf(json: object): RehearsedTree {
  return [
    { name: 'api', folder: '', terraform: readTerraform(json), understood: NOTHING_UNDERSTOOD },
  ];
}

const SHANGHAI = treeOf({
  provider: { volcenginecc: { region: 'cn-shanghai' } },
  output: {
    connectivity: {
      value: '{"links":[{"baseUrl":"https://static.corp.example","apiHost":"API.corp.example"}]}',
    },
  },
  resource: {
    volcenginecc_privatelink_vpc_endpoint: {
      api: {
        service_id: 'epsvc-1a2b',
        vpc_id: 'vpc-1a2b',
        security_group_ids: ['sg-1a2b'],
        zones: [
          { zone_id: 'cn-shanghai-b', subnet_id: 'subnet-1a2b', private_ip_address: '10.9.3.7' },
        ],
      },
    },
  },
});

describe('the world around a rehearsal', () => {
  test('is in the region that the trees name, with their services and hosts', () => {
    const { place, service } = findSurroundings([SHANGHAI]);
    expect(place.region).toBe('cn-shanghai');
    expect(place.zones).toContain('cn-shanghai-b');
    expect(place.catalogue).toMatchObject([
      { serviceId: 'epsvc-1a2b', domainSuffix: 'epsvc-1a2b.cn-shanghai.privatelink.volces.com' },
    ]);
    expect(service.apiHosts).toContain('api.corp.example');
    expect(service.fixedIpHosts).toContain('static.corp.example');
  });

  test('has a stand-in for what the trees name by its id, so that an endpoint can be made', () => {
    const { place } = findSurroundings([SHANGHAI]);
    const cloud = new Cloud({ taskPolls: 0, place });
    const ids = placeGivenResources(cloud, [SHANGHAI], place.zones);
    expect(ids.sort()).toEqual(['sg-1a2b', 'subnet-1a2b', 'vpc-1a2b']);
    expect(cloud.get(SUBNET, 'subnet-1a2b')).toMatchObject({
      VpcId: 'vpc-1a2b',
      ZoneId: 'cn-shanghai-b',
      CidrBlock: '10.9.3.0/24',
    });
    const id = cloud.create(ENDPOINT, {
      ServiceId: 'epsvc-1a2b',
      VpcId: 'vpc-1a2b',
      SecurityGroupIds: ['sg-1a2b'],
      Zones: [{ SubnetId: 'subnet-1a2b', PrivateIpAddress: '10.9.3.7' }],
    });
    expect(cloud.get(ENDPOINT, id).EndpointDomain).toMatch(/epsvc-1a2b\.cn-shanghai\./);
    expect(placeGivenResources(cloud, [SHANGHAI], place.zones)).toEqual([]);
  });
});

test('a load balancer that trees name takes calls, and is not filled where its facts are given', () => {
  const named = treeOf({
    resource: {
      volcenginecc_privatelink_endpoint_service: {
        plugin: { resources: [{ resource_id: 'clb-1a2b' }] },
      },
    },
  });
  const cloud = emptyCloud();
  expect(placeGivenResources(cloud, [named], ['cn-beijing-a'])).toEqual(['clb-1a2b']);
  const service = buildService(cloud, 'clb-1a2b');
  const world = () => ({ cloud: cloud.state, faults: new Set<never>(), service: SANDBOX_SERVICE });
  const { endpointId: EndpointId } = connectPlugin(cloud, world, service);
  cloud.startCreate(CONNECTION, { ServiceId: service, EndpointId }, 'accept');
  expect(pluginRoute(world(), service)).toMatchObject({ listenerPort: 80 });

  const given = emptyCloud();
  const { balancer } = buildBalancer(given);
  const naming = JSON.parse(JSON.stringify(named).replaceAll('clb-1a2b', balancer));
  expect(placeGivenResources(given, [naming], ['cn-beijing-a'])).toEqual([]);
  const ids = given.resources().map(({ identifier }) => identifier);
  expect(ids.filter((id) => id.includes('-of-'))).toEqual([]);
});

test('an endpoint asks for its connection before a stack reads it, and asks one service only', () => {
  const { beforeUse } = new PluginConsole();
  const cloud = emptyCloud({ beforeUse });
  const balancer = buildBalancer(cloud).balancer;
  const [first, second] = [buildService(cloud, balancer), buildService(cloud, balancer)];
  expect(cloud.get(CONNECTION, `${first}|ep-1a2b`)).toMatchObject({
    ConnectionStatus: 'PendingAcceptance',
    EndpointOwnerAccountId: SERVICE_ACCOUNT,
  });
  expect(() => cloud.get(CONNECTION, `${second}|ep-1a2b`)).toThrow('does not exist');
});

test('a cloud goes back to the resources of another moment, and notifies whoever follows it', () => {
  let changes = 0;
  const cloud = emptyCloud({
    onChange: () => {
      changes += 1;
    },
  });
  const vpc = cloud.create(VPC, { CidrBlock: '10.0.0.0/8' });
  const then = structuredClone(cloud.state.resources);
  cloud.create(GROUP, { VpcId: vpc });
  const before = changes;
  cloud.restore(then);
  expect(cloud.resources().map(({ identifier }) => identifier)).toEqual([vpc]);
  expect(changes).toBe(before + 1);
  cloud.restore(cloud.state.resources);
  expect(cloud.resources()).toHaveLength(1);
});
