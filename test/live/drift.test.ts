import { describe, expect, test } from 'vitest';
import { formatAddress } from '../../src/net/address.js';
import { parseNetwork } from '../../src/net/cidr.js';
import { requestedConnection } from '../../src/sandbox/cloud/types/endpoint-connection.js';
import type { JsonObject } from '../../src/sandbox/json.js';
import {
  buildBalancer,
  buildNetwork,
  buildService,
  CONNECTION,
  ENDPOINT,
  emptyCloud,
  endpointInput,
  GROUP,
  INTERFACE,
  LISTENER,
  RECORD,
  rule,
  SERVICE,
  ZONE,
} from '../sandbox/support.js';
import { DeployedCloud, dice, type Roll } from './deployed-cloud.js';

const GUARDED = '10.20.1.9';
const [SMALL, LARGE] = ['10.20.4.0/24', '10.20.0.0/20'];

const RULES = [
  rule({ CidrIp: LARGE, Priority: 20 }),
  rule({ CidrIp: SMALL, Priority: 10, Policy: 'drop' }),
  rule({ CidrIp: '10.20.64.0/18', PortStart: 8000, PortEnd: 8099, Priority: 30 }),
];

/** An endpoint at a fixed address, whose group has rules that cut into each other. */
function deployed() {
  const cloud = emptyCloud();
  const network = buildNetwork(cloud, RULES);
  const zone = { SubnetId: network.subnet, ZoneId: 'cn-beijing-a', PrivateIpAddress: GUARDED };
  const endpoint = cloud.create(ENDPOINT, endpointInput(network, { Zones: [zone] }));
  return { network, endpoint, deployment: new DeployedCloud(cloud) };
}

function shuffled<T>(all: readonly T[], roll: Roll): T[] {
  const left = [...all];
  return all.flatMap(() => left.splice(roll(left.length), 1));
}

function halves(cidr: string): string[] {
  const { family, first, last } = parseNetwork(cidr);
  const size = (last - first + 1n) / 2n;
  const bits = Number(cidr.split('/')[1]) + 1;
  return [first, first + size].map((value) => `${formatAddress({ family, value })}/${bits}`);
}

/** The same packets in other words: networks and ports cut in two, repeated, in another order. */
function rewritten(rules: readonly JsonObject[], roll: Roll): JsonObject[] {
  const cut = rules.flatMap((one): JsonObject[] => {
    const [from, to] = [Number(one.PortStart), Number(one.PortEnd)];
    switch (roll(4)) {
      case 0:
        return halves(String(one.CidrIp)).map((CidrIp) => ({ ...one, CidrIp }));
      case 1:
        return to > from
          ? [
              { ...one, PortEnd: from + 10 },
              { ...one, PortStart: from + 11 },
            ]
          : [one];
      case 2:
        return [one, { ...one, Priority: Number(one.Priority) + 1, Description: 'again' }];
      default:
        return [one];
    }
  });
  return shuffled(cut, roll);
}

/** A rule more, a rule less, or another network in one of them. */
function edited(rules: readonly JsonObject[], roll: Roll): JsonObject[] {
  const at = roll(rules.length);
  const network = `10.20.${roll(128)}.0/24`;
  const facts = { CidrIp: network, Priority: 1 + roll(40), Policy: roll(2) ? 'accept' : 'drop' };
  switch (roll(3)) {
    case 0:
      return [...rules, rule({ ...facts, ...(roll(2) && { PortStart: 8080, PortEnd: 8080 }) })];
    case 1:
      return rules.filter((_, i) => i !== at);
    default:
      return rules.map((one, i) => (i === at ? { ...one, CidrIp: network } : one));
  }
}

const SEEDS = Array.from({ length: 12 }, (_, i) => i + 1);

describe('rules that are edited behind Terraform', () => {
  test('another order, splits and repetitions are no drift', async () => {
    const { deployment, network } = deployed();
    expect(await deployment.drift()).toEqual([]);
    for (const seed of SEEDS) {
      deployment.edit(GROUP, network.group, 'IngressPermissions', rewritten(RULES, dice(seed)));
      expect(await deployment.drift(), `seed ${seed}`).toEqual([]);
    }
  });

  test('each widening and narrowing is named with its packets, and dials agree with all of them', async () => {
    const { deployment, network } = deployed();
    const froms = Array.from({ length: 128 }, (_, third) => `10.20.${third}.7`);
    const dials = () =>
      froms.flatMap((from) =>
        [443, 8080].map((port) => ({ from, port, isOpen: deployment.isOpen(from, GUARDED, port) })),
      );
    const before = dials();
    let found = 0;
    for (const seed of SEEDS) {
      const roll = dice(seed);
      const rules = edited(rewritten(RULES, roll), roll);
      deployment.edit(GROUP, network.group, 'IngressPermissions', rules);
      const told = (await deployment.drift()).map(readSentence);
      dials().forEach(({ from, port, isOpen }, i) => {
        const expected = before[i]?.isOpen === isOpen ? [] : [isOpen];
        const said = told.filter((one) => one.covers(from, port)).map(({ isOpened }) => isOpened);
        expect(said, `seed ${seed}, ${from} to ${port}`).toEqual(expected);
        found += expected.length;
      });
    }
    expect(found).toBeGreaterThan(30);
  });
});

/** Reads the packets back out of what people are told. */
function readSentence(text: string) {
  const [, peer = '', can, services = ''] =
    /^since the last deploy (.*) (can|can no longer) reach .*?, ([^;]*)/.exec(text) ?? [];
  expect(can, text).toBeDefined();
  const number = (address: string) => parseNetwork(address).first;
  const ranges = peer.split(', ').map((one) => {
    const [first = '', last = first] = one.split(' – ');
    return [number(first), parseNetwork(last).last] as const;
  });
  const ports = [...services.matchAll(/tcp (\d+)(?:–(\d+))?/g)].map(
    ([, first, last = first]) => [Number(first), Number(last)] as const,
  );
  return {
    isOpened: can === 'can',
    covers: (from: string, port: number) =>
      ranges.some(([first, last]) => number(from) >= first && number(from) <= last) &&
      ports.some(([first, last]) => port >= first && port <= last),
  };
}

describe('objects of strangers', () => {
  test('another group on the interface', async () => {
    const { deployment, network, endpoint } = deployed();
    const theirs = deployment.cloud.create(GROUP, {
      VpcId: network.vpc,
      IngressPermissions: [rule({ CidrIp: '203.0.113.0/24', PortStart: 8080, PortEnd: 8080 })],
    });
    expect(await deployment.drift()).toEqual([]);
    deployment.edit(ENDPOINT, endpoint, 'SecurityGroupIds', [network.group, theirs]);
    const [opened, ...others] = await deployment.drift();
    expect(opened).toContain('since the last deploy 203.0.113.0/24 can reach ');
    expect(opened).toContain(
      `, tcp 8080; volcenginecc_vpc_security_group.${theirs} is not Terraform's`,
    );
    expect(others).toEqual([]);
    expect(deployment.isOpen('203.0.113.9', GUARDED, 8080)).toBe(true);
  });

  test('another group on an interface that carries ours, and on the endpoint’s own', async () => {
    const { deployment, network } = deployed();
    const { cloud } = deployment;
    const theirs = cloud.create(GROUP, {
      VpcId: network.vpc,
      IngressPermissions: [rule({ CidrIp: '203.0.113.0/24', PortStart: 8080, PortEnd: 8080 })],
    });
    const attach = (address: string, groups: readonly string[]) =>
      cloud.create(INTERFACE, {
        SubnetId: network.subnet,
        PrimaryIpAddress: { PrivateIpAddress: address },
        SecurityGroupIds: [...groups],
      });
    // One that no group of ours is on, and those on which ours alone is, are no drift.
    attach('10.20.1.20', [theirs]);
    attach('10.20.1.21', [network.group]);
    attach('10.20.1.22', [network.group]);
    expect(await deployment.drift()).toEqual([]);
    const carrier = attach('10.20.1.23', [network.group, theirs]);
    const own = attach(GUARDED, [network.group, theirs]);
    const told = await deployment.drift();
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('since the last deploy 203.0.113.0/24 can reach ');
    expect(told[0]).toContain(`, tcp 8080; volcenginecc_vpc_security_group.${theirs} is not`);
    for (const to of ['10.20.1.23', GUARDED]) {
      expect(deployment.isOpen('203.0.113.9', to, 8080)).toBe(true);
    }
    expect(deployment.isOpen('203.0.113.9', '10.20.1.21', 8080)).toBe(false);
    expect(deployment.isOpen('10.20.5.9', '10.20.1.21', 443)).toBe(true);
    cloud.startDelete(INTERFACE, own, 'gone');
    expect((await deployment.drift())[0]).toContain(carrier);
  });

  test('a network ACL', async () => {
    const { deployment, network } = deployed();
    deployment.cloud.create('Volcengine::VPC::NetworkAcl', {
      VpcId: network.vpc,
      Resources: [{ ResourceId: network.subnet }],
      IngressAclEntries: [
        { Policy: 'drop', Protocol: 'tcp', Port: '443/443', CidrIp: '10.20.9.0/24' },
      ],
    });
    const told = await deployment.drift();
    expect(told).toContainEqual(
      expect.stringMatching(
        /^since the last deploy 10\.20\.9\.0\/24 can no longer reach .*, tcp 443$/,
      ),
    );
    // No entry decides on others, and the API does not say what then holds.
    expect(told).toContainEqual(expect.stringMatching(/ 10\.20\.0\.0\/22 may no longer reach /));
    expect(told.filter((one) => one.includes(' can reach '))).toEqual([]);
    expect(deployment.isOpen('10.20.9.7', GUARDED, 443)).toBe(false);
  });

  test('another listener of the balancer', async () => {
    const cloud = emptyCloud();
    const { balancer, servers } = buildBalancer(cloud);
    buildService(cloud, balancer);
    const deployment = new DeployedCloud(cloud);
    expect(await deployment.drift()).toEqual([]);
    const listener = cloud.create(LISTENER, {
      LoadBalancerId: balancer,
      Port: 9443,
      Protocol: 'TCP',
      ServerGroupId: servers,
    });
    const told = await deployment.drift();
    expect(told).toContainEqual(
      expect.stringMatching(
        new RegExp(`100\\.64\\.0\\.0/10 can reach .*, tcp 9443; .*${listener} is not Terraform's`),
      ),
    );
    expect(told).toContainEqual(
      expect.stringMatching(/^since the last deploy account 2100000001 can reach .*, tcp 9443$/),
    );
  });

  test('another connection of the endpoint service', async () => {
    const cloud = emptyCloud();
    const service = buildService(cloud, buildBalancer(cloud).balancer);
    const deployment = new DeployedCloud(cloud);
    const place = { endpointId: 'ep-asked', accountId: '2100000666', vpcId: 'vpc-x' };
    cloud.receive(CONNECTION, (scope) => ({
      ...requestedConnection(
        cloud.get(SERVICE, service),
        { ...place, zoneId: 'cn-beijing-a' },
        scope,
      ),
      ConnectionStatus: 'Connected',
    }));
    expect(await deployment.drift()).toEqual([
      expect.stringMatching(/^since the last deploy endpoint ep-asked can reach /),
    ]);
  });

  test('a record for a name of ours, and a zone that our network asks as well', async () => {
    const cloud = emptyCloud();
    const { vpc } = buildNetwork(cloud);
    const Vpcs = [{ Region: 'cn-beijing', VpcId: vpc }];
    const zone = cloud.create(ZONE, { ZoneName: 'example.com', Vpcs });
    const record = { ZID: Number(zone), Host: 'api', Type: 'A', Value: '10.20.1.9' };
    cloud.create(RECORD, record);
    const deployment = new DeployedCloud(cloud);
    expect(await deployment.drift()).toEqual([]);
    // What answers any other name changes nothing of ours.
    for (const Host of ['other', '*']) cloud.create(RECORD, { ...record, Host });
    expect(await deployment.drift()).toEqual([]);
    cloud.create(RECORD, { ...record, Value: '10.66.0.1' });
    cloud.create(ZONE, { ZoneName: 'api.example.com', Vpcs, RecursionMode: true });
    expect(await deployment.drift()).toEqual([
      expect.stringMatching(/api resolves to 10\.66\.0\.1 as well; .* is not Terraform's/),
      expect.stringMatching(
        /the zone api\.example\.com answers for api\.example\.com as well, with no address; .* is not Terraform's/,
      ),
    ]);
  });
});
