import { describe, expect, test } from 'vitest';
import { lookUp } from '../../src/sandbox/network/names.js';
import { SANDBOX_SERVICE, SERVICE_ADDRESSES } from '../../src/sandbox/surroundings.js';
import {
  buildBalancer,
  buildNetwork,
  buildService,
  ENDPOINT,
  emptyCloud,
  endpointInput,
  GROUP,
  POLICY,
  RECORD,
  rule,
  SERVICE,
  VPC,
  ZONE,
} from '../sandbox/support.js';
import { DeployedCloud } from './deployed-cloud.js';

const [FIXED = '', OTHER = ''] = SERVICE_ADDRESSES;

/** A group that lets workloads call the service's fixed addresses, in a stack without a firewall or a zone. */
function workloads() {
  const cloud = emptyCloud();
  const vpc = cloud.create(VPC, { CidrBlock: '10.20.0.0/16' });
  const out = { Direction: 'egress', PortStart: 443, PortEnd: 443 };
  const group = cloud.create(GROUP, {
    VpcId: vpc,
    EgressPermissions: [FIXED, OTHER].map((one) => rule({ ...out, CidrIp: `${one}/32` })),
  });
  return { cloud, vpc, group, deployment: new DeployedCloud(cloud) };
}

function policy(facts: object) {
  return {
    ...{ Direction: 'out', Action: 'deny', Source: '0.0.0.0/0', SourceType: 'net' },
    ...{ Destination: `${FIXED}/32`, DestinationType: 'net', Proto: 'TCP', Prio: 1 },
    ...{ DestPort: '443', DestPortType: 'port', Status: true, ...facts },
  };
}

describe('Cloud Firewall, of which the stack has nothing', () => {
  test('a policy that denies is found with its packets, and the dial agrees', async () => {
    const { cloud, deployment } = workloads();
    const isOpen = (to: string) => deployment.isOpen('10.20.1.9', to, 443);
    expect([isOpen(FIXED), isOpen(OTHER)]).toEqual([true, true]);
    expect(await deployment.drift()).toEqual([]);
    cloud.create(POLICY, policy({}));
    expect(await deployment.drift()).toEqual([
      expect.stringMatching(
        new RegExp(`^since the last deploy .* can no longer reach ${FIXED}, tcp 443$`),
      ),
    ]);
    expect([isOpen(FIXED), isOpen(OTHER)]).toEqual([false, true]);
  });

  test('a policy before ours lets through what ours denies', async () => {
    const { cloud } = workloads();
    cloud.create(POLICY, policy({ Prio: 5 }));
    const deployment = new DeployedCloud(cloud);
    const isOpen = () => deployment.isOpen('10.20.1.9', FIXED, 443);
    expect(isOpen()).toBe(false);
    const before = cloud.create(POLICY, policy({ Action: 'accept', Prio: 1 }));
    const told = await deployment.drift();
    expect(told).toContainEqual(
      expect.stringMatching(new RegExp(`sg-\\w+ can reach ${FIXED}, tcp 443; .* not Terraform's$`)),
    );
    expect(told.filter((one) => one.includes('no longer'))).toEqual([]);
    expect(isOpen(), before).toBe(true);
  });

  test('policies that are off, watch alone or decide inward change nothing', async () => {
    const { cloud, deployment } = workloads();
    cloud.create(POLICY, policy({ Status: false }));
    cloud.create(POLICY, policy({ Action: 'monitor' }));
    cloud.create(POLICY, policy({ Direction: 'in', Destination: '10.20.0.0/16' }));
    expect(await deployment.drift()).toEqual([]);
  });

  test('a rule of a firewall between VPCs is named where it could decide', async () => {
    const cloud = emptyCloud();
    const { subnet } = buildNetwork(cloud);
    const deployment = new DeployedCloud(cloud);
    const ACL_RULE = 'Volcengine::FWCenter::VpcFirewallAclRule';
    const net = { SourceType: 'net', DestinationType: 'net', Proto: 'ANY', Action: 'deny' };
    const create = (id: string, facts: object) =>
      cloud.create(ACL_RULE, { VpcFirewallId: id, ...net, ...facts });
    create('vfw-1', { Source: '192.168.0.0/24', Destination: '192.168.9.0/24' });
    create('vfw-1', { Source: '10.0.0.0/8', Destination: '10.20.0.0/16', Status: false });
    expect((await deployment.live()).unjudged, subnet).toEqual([]);
    create('vfw-2', { Source: '10.66.0.0/16', Destination: '10.20.0.0/16' });
    create('vfw-2', { Source: 'a-book', SourceType: 'group', Destination: '192.168.9.0/24' });
    expect((await deployment.live()).unjudged).toEqual([
      expect.stringMatching(
        /^VPC firewall vfw-2: its rules are not judged: deny 10\.66\.0\.0\/16 to 10\.20\.0\.0\/16 ANY.*, deny a-book/,
      ),
    ]);
  });
});

test('an account that somebody put on the allow-list', async () => {
  const cloud = emptyCloud();
  const service = buildService(cloud, buildBalancer(cloud).balancer);
  const deployment = new DeployedCloud(cloud);
  const listed = cloud.get(SERVICE, service).PermitAccountIds as string[];
  expect(await deployment.drift()).toEqual([]);
  deployment.edit(SERVICE, service, 'PermitAccountIds', [...listed, '2100000666']);
  const told = await deployment.drift();
  expect(told).toContainEqual(
    expect.stringMatching(/^since the last deploy account 2100000666 can reach /),
  );
  expect(told.filter((one) => one.includes(listed[0] ?? 'none'))).toEqual([]);
});

/** An endpoint, whose domain its clients look up: the stack has no zone. */
function named() {
  const cloud = emptyCloud();
  const network = buildNetwork(cloud, [rule({ CidrIp: '10.20.0.0/16' })]);
  const endpoint = cloud.create(ENDPOINT, endpointInput(network));
  const domain = String(cloud.get(ENDPOINT, endpoint).EndpointDomain);
  const world = () => ({ cloud: cloud.state, faults: new Set<never>(), service: SANDBOX_SERVICE });
  const addresses = () => lookUp(world(), domain).addresses;
  return { cloud, ...network, endpoint, domain, addresses, deployment: new DeployedCloud(cloud) };
}

describe('names, of which the stack has no zone', () => {
  test('a zone that answers for the domain of an endpoint, and the lookup agrees', async () => {
    const { cloud, vpc, domain, addresses, deployment } = named();
    const before = addresses();
    expect(await deployment.drift()).toEqual([]);
    const Vpcs = [{ Region: 'cn-beijing', VpcId: vpc }];
    cloud.create(ZONE, { ZoneName: 'corp.example', Vpcs });
    expect(await deployment.drift()).toEqual([]);
    expect(addresses()).toEqual(before);
    const zone = cloud.create(ZONE, { ZoneName: domain, Vpcs });
    cloud.create(RECORD, { ZID: Number(zone), Host: '@', Type: 'A', Value: '10.66.0.1' });
    expect(await deployment.drift()).toEqual([
      `since the last deploy the zone ${domain} answers for ${domain} as well, with 10.66.0.1; volcenginecc_privatezone_private_zone.${zone} is not Terraform's`,
    ]);
    expect(addresses()).toEqual(['10.66.0.1']);
  });

  test('a zone of another network, and a shorter one than ours, answer nothing', async () => {
    const { cloud, vpc, domain, deployment } = named();
    const other = cloud.create(VPC, { CidrBlock: '10.30.0.0/16' });
    cloud.create(ZONE, { ZoneName: domain, Vpcs: [{ Region: 'cn-beijing', VpcId: other }] });
    expect(await deployment.drift()).toEqual([]);
    const Vpcs = [{ Region: 'cn-beijing', VpcId: vpc }];
    const parent = domain.slice(domain.indexOf('.') + 1);
    cloud.create(ZONE, { ZoneName: parent, Vpcs });
    const withZone = new DeployedCloud(cloud);
    cloud.create(ZONE, { ZoneName: parent.slice(parent.indexOf('.') + 1), Vpcs });
    expect(await withZone.drift()).toEqual([]);
  });

  test('a resolver rule may send questions elsewhere, and accounts may share zones', async () => {
    const { cloud, vpc, domain, endpoint, deployment } = named();
    const forward = (ZoneName: string, VpcID: string) =>
      cloud.create('Volcengine::PrivateZone::ResolverRule', {
        ...{ Name: 'to-office', Type: 'OUTBOUND', ZoneName },
        ...{ VPCs: [{ Region: 'cn-beijing', VpcID }], ForwardIPs: [{ IP: '10.9.0.53', Port: 53 }] },
      });
    forward('corp.example', vpc);
    forward(domain, 'vpc-other');
    expect(await deployment.drift()).toEqual([]);
    const there = cloud.state.resources[ENDPOINT]?.[endpoint] ?? {};
    there.PrivateDNSName = 'orders.corp.example';
    expect((await deployment.drift()).join()).toContain('for orders.corp.example to 10.9.0.53');
    there.PrivateDNSName = '';
    forward('corp.example,*', vpc);
    expect(await deployment.drift()).toEqual([
      expect.stringContaining(`a resolver rule may send questions for ${domain} to 10.9.0.53`),
    ]);
    cloud.create('Volcengine::PrivateZone::UserVPCAuthorization', { AccountID: '2100000666' });
    expect((await deployment.live()).unjudged).toEqual([
      expect.stringContaining('private zones are shared with account 2100000666'),
    ]);
  });
});

test('a DNAT entry to an address of the stack is named, and none to another', async () => {
  const { cloud, deployment } = named();
  const entry = (InternalIp: string) =>
    cloud.create('Volcengine::NatGateway::Dnatentry', {
      ...{ NatGatewayId: 'ngw-1', Protocol: 'tcp', InternalIp, InternalPort: '8443' },
      ...{ ExternalIp: '203.0.113.7', ExternalPort: '443' },
    });
  entry('192.168.7.7');
  expect((await deployment.live()).unjudged).toEqual([]);
  entry('10.20.1.77');
  expect((await deployment.live()).unjudged).toEqual([
    expect.stringContaining('tcp 203.0.113.7:443 is sent on to 10.20.1.77:8443'),
  ]);
});

describe('objects of another stack', () => {
  test('are no drift until somebody changes them', async () => {
    const { cloud, vpc, endpoint, group } = named();
    const theirs = cloud.create(GROUP, {
      VpcId: vpc,
      IngressPermissions: [rule({ CidrIp: '10.77.0.0/16' })],
    });
    cloud.startUpdate(
      ENDPOINT,
      endpoint,
      [{ op: 'replace', path: '/SecurityGroupIds', value: [group, theirs] }],
      'attach',
    );
    const mine = new DeployedCloud(cloud, (id) => id !== theirs);
    const other = new DeployedCloud(cloud, (id) => id === theirs);
    expect(await mine.drift([other.state])).toEqual([]);
    const rules = [rule({ CidrIp: '10.77.0.0/16' }), rule({ CidrIp: '10.78.0.0/16' })];
    mine.edit(GROUP, theirs, 'IngressPermissions', rules);
    expect(await mine.drift([other.state])).toEqual([
      expect.stringMatching(/^since the last deploy 10\.78\.0\.0\/16 can reach .* the rule is not/),
    ]);
    expect(mine.isOpen('10.78.0.9', endpointAddress(cloud, endpoint), 443)).toBe(true);
  });
});

function endpointAddress(cloud: ReturnType<typeof emptyCloud>, endpoint: string): string {
  const { Zones: [zone] = [] } = cloud.get(ENDPOINT, endpoint) as unknown as {
    Zones: { PrivateIpAddress: string }[];
  };
  return zone?.PrivateIpAddress ?? '';
}
