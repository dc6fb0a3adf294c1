import { describe, expect, test } from 'vitest';
import type { Cloud } from '../../../src/sandbox/cloud/cloud.js';
import type { FaultName } from '../../../src/sandbox/faults/index.js';
import type { JsonObject } from '../../../src/sandbox/json.js';
import { workloadAddress } from '../../../src/sandbox/network/places.js';
import { route, routeIn, type World } from '../../../src/sandbox/network/world.js';
import { SANDBOX_SERVICE, SERVICE_ADDRESSES } from '../../../src/sandbox/surroundings.js';
import {
  BOOK,
  buildEndpoint,
  buildNetwork,
  emptyCloud,
  GROUP,
  POLICY,
  PREFIX_LIST,
  rule,
} from '../support.js';

const [LISTED = '', OTHER = ''] = SERVICE_ADDRESSES;
const CLOSED = rule({
  CidrIp: '0.0.0.0/0',
  Policy: 'drop',
  Protocol: 'all',
  PortStart: -1,
  PortEnd: -1,
  Priority: 100,
});

function world(cloud: Cloud, ...faults: FaultName[]): World {
  return { cloud: cloud.state, faults: new Set(faults), service: SANDBOX_SERVICE };
}

/** The outcome of a workload's dial to the service's fixed address. */
function out(cloud: Cloud, to = LISTED, port = 443, ...faults: FaultName[]) {
  const all = world(cloud, ...faults);
  return route(all, { from: workloadAddress(all, 'egress'), to, port });
}

function withEgress(rules: JsonObject[]): Cloud {
  const cloud = emptyCloud();
  const { vpc } = buildNetwork(cloud);
  cloud.create(GROUP, { VpcId: vpc, EgressPermissions: [...rules, CLOSED] });
  return cloud;
}

const to = (CidrIp: string, facts: JsonObject = {}) => rule({ CidrIp, ...facts });

describe('the way out to the fixed addresses', () => {
  test('is open where nothing was deployed, and where nothing is about it', () => {
    expect(out(emptyCloud())).toBe('open');
    const cloud = emptyCloud();
    buildEndpoint(cloud);
    expect(out(cloud)).toBe('open');
  });

  test('follows the rules of the group that was made for it, by address and port', () => {
    const cloud = withEgress([to(`${LISTED}/32`)]);
    expect(out(cloud, LISTED)).toBe('open');
    expect(out(cloud, OTHER)).toBe('dropped');
    expect(out(cloud, LISTED, 80)).toBe('dropped');
  });

  test('follows the entries of a prefix list, as they are now', () => {
    const cloud = emptyCloud();
    const { vpc } = buildNetwork(cloud);
    const entries = [{ Cidr: `${LISTED}/32` }];
    const list = cloud.create(PREFIX_LIST, { MaxEntries: 2, PrefixListEntries: entries });
    const listed = rule({ CidrIp: '', PrefixListId: list });
    cloud.create(GROUP, { VpcId: vpc, EgressPermissions: [listed, CLOSED] });
    expect(out(cloud, LISTED)).toBe('open');
    expect(out(cloud, OTHER)).toBe('dropped');
    const patch = [{ op: 'add', path: '/PrefixListEntries/-', value: { Cidr: `${OTHER}/32` } }];
    cloud.startUpdate(PREFIX_LIST, list, patch, '');
    expect(out(cloud, OTHER)).toBe('open');
  });

  test('lets the address block win over a prefix list in one rule', () => {
    const cloud = emptyCloud();
    const { vpc } = buildNetwork(cloud);
    const entries = [{ Cidr: `${LISTED}/32` }];
    const list = cloud.create(PREFIX_LIST, { MaxEntries: 1, PrefixListEntries: entries });
    const both = rule({ CidrIp: '198.51.100.0/24', PrefixListId: list });
    cloud.create(GROUP, { VpcId: vpc, EgressPermissions: [both, CLOSED] });
    expect(out(cloud)).toBe('dropped');
  });

  test('joins the groups: what one of them lets through passes', () => {
    const cloud = withEgress([to(`${LISTED}/32`)]);
    const [first] = cloud.list(GROUP);
    const vpc = String(first?.properties.VpcId);
    cloud.create(GROUP, { VpcId: vpc, EgressPermissions: [to(`${OTHER}/32`), CLOSED] });
    expect([out(cloud, LISTED), out(cloud, OTHER)]).toEqual(['open', 'open']);
  });

  test('is closed by a group that only closes, and by none that an endpoint carries', () => {
    const cloud = emptyCloud();
    const { vpc } = buildNetwork(cloud);
    buildEndpoint(cloud);
    expect(out(cloud)).toBe('open');
    cloud.create(GROUP, { VpcId: vpc, EgressPermissions: [CLOSED] });
    expect(out(cloud)).toBe('dropped');
  });

  test('has nothing to do with a group whose rules are about nobody', () => {
    const cloud = emptyCloud();
    const { vpc } = buildNetwork(cloud);
    const nobody = to('192.0.2.0/32', { Policy: 'drop' });
    cloud.create(GROUP, { VpcId: vpc, EgressPermissions: [nobody] });
    expect(out(cloud)).toBe('open');
  });

  test('follows the groups that outputs name, and no others', () => {
    const cloud = withEgress([to(`${LISTED}/32`)]);
    const vpc = String(cloud.list(GROUP)[0]?.properties.VpcId);
    const own = cloud.create(GROUP, { VpcId: vpc, EgressPermissions: [to(`${OTHER}/32`), CLOSED] });
    const outTo = (address: string, egress: readonly string[]) =>
      route(
        { ...world(cloud), service: { ...SANDBOX_SERVICE, workloadGroups: { egress } } },
        { from: '10.20.1.9', to: address, port: 443 },
      );
    expect([outTo(LISTED, [own]), outTo(OTHER, [own])]).toEqual(['dropped', 'open']);
    expect(outTo(OTHER, ['sg-that-is-gone'])).toBe('dropped');
  });

  test('is closed by its fault', () => {
    expect(out(emptyCloud(), LISTED, 443, 'egress-closed')).toBe('dropped');
  });
});

describe('the firewall at the border', () => {
  const policy = (facts: JsonObject): JsonObject => ({
    Direction: 'out',
    Action: 'accept',
    Source: '10.20.0.0/16',
    SourceType: 'net',
    Destination: '0.0.0.0/0',
    DestinationType: 'net',
    Proto: 'ANY',
    ...facts,
  });
  const tcp = { Proto: 'TCP', DestPort: '443' };

  function guarded(...policies: ((cloud: Cloud) => JsonObject)[]): Cloud {
    const cloud = emptyCloud();
    buildNetwork(cloud);
    for (const each of policies) cloud.create(POLICY, policy(each(cloud)));
    return cloud;
  }

  const book = (cloud: Cloud, facts: JsonObject) =>
    cloud.create(BOOK, { GroupName: 'service', GroupType: 'ip', ...facts });

  const listed = (cloud: Cloud) => ({
    Destination: book(cloud, { AddressDetailList: [{ Address: LISTED }] }),
    DestinationType: 'group',
    Prio: 1,
    ...tcp,
  });
  const deny = () => ({ Action: 'deny', Prio: 0 });

  test('lets through what its address book holds, and nothing else once it is closed', () => {
    const cloud = guarded(listed, deny);
    expect(out(cloud, LISTED)).toBe('open');
    expect(out(cloud, OTHER)).toBe('dropped');
    expect(out(cloud, LISTED, 80)).toBe('dropped');
  });

  test('restricts nothing by an accept alone', () => {
    expect(out(guarded(listed), OTHER)).toBe('open');
  });

  test('looks at position 0 last, however early it was made', () => {
    expect(out(guarded(deny, listed), LISTED)).toBe('open');
    expect(
      out(
        guarded(
          () => ({ Action: 'deny', Prio: 1 }),
          (cloud) => ({ ...listed(cloud), Prio: 2 }),
        ),
      ),
    ).toBe('dropped');
  });

  test('looks at a newer policy of the same position first, and at an older one of position 0', () => {
    const at = (Action: string, Prio: number) => () => ({ Action, Prio });
    expect(out(guarded(at('accept', 1), at('deny', 1)))).toBe('dropped');
    expect(out(guarded(at('accept', 0), at('deny', 0)))).toBe('open');
  });

  test.each([
    ['one that is off', { Status: false }],
    ['one for IPv6', { IpType: 'v6' }],
    ['one of another source', { Source: '10.99.0.0/16' }],
    ['one of the other direction', { Direction: 'in' }],
    ['one that only watches', { Action: 'monitor' }],
    ['one for UDP', { Proto: 'UDP', DestPort: '443' }],
    ['one for another port', { Proto: 'TCP', DestPort: '1/442' }],
    ['one for a region of the world', { DestinationType: 'location', Destination: 'CN' }],
  ])('passes over %s', (_, facts) => {
    expect(out(guarded(() => ({ ...deny(), ...facts })))).toBe('open');
  });

  test('knows domains, address books of them and of ports', () => {
    const domains = (cloud: Cloud) => ({
      ...tcp,
      Destination: book(cloud, { GroupType: 'domain', AddressList: ['*.sandbox.example'] }),
      DestinationType: 'group',
      Prio: 1,
    });
    const named = { ...tcp, Destination: 'static-api.sandbox.example', DestinationType: 'domain' };
    const ports = (cloud: Cloud) => ({
      Proto: 'TCP',
      DestPort: book(cloud, { GroupType: 'port', AddressList: ['80', '440/450'] }),
      DestPortType: 'group',
      Prio: 1,
    });
    for (const accept of [domains, ports, () => ({ ...named, Prio: 1 })]) {
      expect(out(guarded(accept, deny))).toBe('open');
    }
    expect(out(guarded(ports, deny), LISTED, 8443)).toBe('dropped');
  });

  test('sees a public address of ours, whichever it is', () => {
    const own = { Source: '203.0.113.7/32' };
    const cloud = guarded(
      (all) => ({ ...listed(all), ...own }),
      () => ({ ...deny(), ...own }),
    );
    expect(out(cloud, LISTED)).toBe('open');
    expect(out(cloud, OTHER)).toBe('dropped');
  });

  test('and the group must both let a connection through', () => {
    const cloud = withEgress([to(`${LISTED}/32`)]);
    cloud.create(POLICY, policy(deny()));
    expect(out(cloud)).toBe('dropped');
  });
});

describe('the way in to a workload', () => {
  const connection = { from: '198.51.100.11', to: '10.20.1.252', port: 8443 };
  const policy = (facts: JsonObject): JsonObject => ({
    Direction: 'in',
    Action: 'accept',
    Source: '198.51.100.11/32',
    SourceType: 'net',
    Destination: '10.20.0.0/16',
    DestinationType: 'net',
    Proto: 'TCP',
    DestPort: '8443',
    ...facts,
  });
  const everyone = { Action: 'deny', Source: '0.0.0.0/0' };

  test('is closed where nothing was deployed for it', () => {
    expect(routeIn(world(emptyCloud()), connection)).toBe('dropped');
    const cloud = emptyCloud();
    const { vpc } = buildNetwork(cloud);
    cloud.create(GROUP, { VpcId: vpc });
    buildEndpoint(cloud);
    expect(routeIn(world(cloud), connection)).toBe('dropped');
  });

  test('follows the rules of the group that was made for it', () => {
    const cloud = emptyCloud();
    const { vpc } = buildNetwork(cloud, []);
    const rules = [rule({ CidrIp: '198.51.100.11/32', PortStart: 8443, PortEnd: 8443 })];
    cloud.create(GROUP, { VpcId: vpc, IngressPermissions: rules, EgressPermissions: [CLOSED] });
    expect(routeIn(world(cloud), connection)).toBe('open');
    expect(routeIn(world(cloud), { ...connection, from: '198.51.100.14' })).toBe('dropped');
    expect(routeIn(world(cloud), { ...connection, port: 443 })).toBe('dropped');
  });

  test('is not about the group of a backend that only private networks call', () => {
    const cloud = emptyCloud();
    const { vpc } = buildNetwork(cloud);
    const rules = [rule({ CidrIp: '100.64.0.0/10', PortStart: 8443, PortEnd: 8443 })];
    cloud.create(GROUP, { VpcId: vpc, IngressPermissions: rules });
    cloud.create(POLICY, policy({ Prio: 1 }));
    expect(routeIn(world(cloud), connection)).toBe('open');
  });

  test('follows the firewall, whose accept alone restricts nothing', () => {
    const cloud = emptyCloud();
    cloud.create(POLICY, policy({ Prio: 1 }));
    const stranger = { ...connection, from: '198.51.100.14' };
    expect(routeIn(world(cloud), connection)).toBe('open');
    expect(routeIn(world(cloud), stranger)).toBe('open');
    cloud.create(POLICY, policy(everyone));
    expect(routeIn(world(cloud), connection)).toBe('open');
    expect(routeIn(world(cloud), stranger)).toBe('dropped');
  });
});
