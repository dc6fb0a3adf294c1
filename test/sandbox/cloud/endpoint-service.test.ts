import { describe, expect, test } from 'vitest';
import type { Cloud } from '../../../src/sandbox/cloud/cloud.js';
import type { ConnectionStatus } from '../../../src/sandbox/cloud/cloud-type.js';
import type { World } from '../../../src/sandbox/network/world.js';
import { connectPlugin } from '../../../src/sandbox/plugin/connections.js';
import { SANDBOX_SERVICE } from '../../../src/sandbox/surroundings.js';
import {
  BALANCER,
  buildBalancer,
  buildService,
  CONNECTION,
  emptyCloud,
  failureOf,
  LISTENER,
  SERVERS,
  SERVICE,
  SERVICE_ACCOUNT,
} from '../support.js';

function worldOf(cloud: Cloud): () => World {
  return () => ({ cloud: cloud.state, faults: new Set(), service: SANDBOX_SERVICE });
}

function connect(cloud: Cloud, service: string) {
  return connectPlugin(cloud, worldOf(cloud), service);
}

function connected(facts = {}) {
  const cloud = emptyCloud();
  const network = buildBalancer(cloud);
  const service = buildService(cloud, network.balancer, facts);
  const { endpointId } = connect(cloud, service);
  const id = `${service}|${endpointId}`;
  const accept = (more = {}) =>
    failureOf(
      cloud,
      cloud.startCreate(CONNECTION, { ServiceId: service, EndpointId: endpointId, ...more }, ''),
    );
  const status = () => cloud.get(CONNECTION, id).ConnectionStatus;
  const cut = () => failureOf(cloud, cloud.startDelete(CONNECTION, id, ''));
  return { cloud, network, service, endpointId, id, accept, status, cut };
}

describe('an endpoint service', () => {
  test('is filled in, with the zones of its load balancer', () => {
    const cloud = emptyCloud();
    const { balancer } = buildBalancer(cloud);
    const id = buildService(cloud, balancer);
    expect(cloud.get(SERVICE, id)).toMatchObject({
      ServiceId: id,
      ServiceName: `com.volces.privatelink.cn-beijing.${id}`,
      ServiceDomain: `${id}.cn-beijing.privatelink.volces.com`,
      AutoAcceptEnabled: false,
      Payer: 'Endpoint',
      PermitAccountIds: [SERVICE_ACCOUNT],
      Resources: [{ ResourceId: balancer, ResourceType: 'CLB' }],
      Status: 'Available',
      ZoneIds: ['cn-beijing-a', 'cn-beijing-b'],
    });
  });

  test.each([
    ['an account that is none', { PermitAccountIds: ['acme'] }, 'must be account ids or "*"'],
    ['an account as a number', { PermitAccountIds: [2_100_000_001] }, 'must be a string'],
    ['an unknown load balancer', { Resources: [{ ResourceId: 'clb-gone' }] }, 'got: "clb-gone"'],
    ['another kind of resource', { ServiceResourceType: 'ALB' }, 'must be CLB in the sandbox'],
    ['an unknown payer', { Payer: 'Nobody' }, 'must be one of Endpoint, EndpointService'],
    ['a private name that is missing', { PrivateDNSEnabled: true }, '`PrivateDNSName` is required'],
  ])('is refused with %s', (_, facts, message) => {
    const cloud = emptyCloud();
    const { balancer } = buildBalancer(cloud);
    expect(() => buildService(cloud, balancer, facts)).toThrow(message);
  });

  test('cannot change who pays', () => {
    const cloud = emptyCloud();
    const id = buildService(cloud, buildBalancer(cloud).balancer);
    const patch = [{ op: 'replace', path: '/Payer', value: 'EndpointService' }];
    expect(() => cloud.startUpdate(SERVICE, id, patch, '')).toThrow('only be given at creation');
  });

  test('does not answer an empty list of accounts', () => {
    const cloud = emptyCloud();
    const id = buildService(cloud, buildBalancer(cloud).balancer, { PermitAccountIds: [] });
    expect(cloud.get(SERVICE, id)).not.toHaveProperty('PermitAccountIds');
  });

  test('asks for the proof of a private DNS name', () => {
    const cloud = emptyCloud();
    const facts = { PrivateDNSEnabled: true, PrivateDNSName: '*.plugins.example.com' };
    const id = buildService(cloud, buildBalancer(cloud).balancer, facts);
    expect(cloud.get(SERVICE, id).PrivateDNSNameConfiguration).toMatchObject({
      Status: 'PendingVerification',
      Type: 'TXT',
    });
  });

  test('stays while a connection works, and takes the cut ones along', () => {
    const { cloud, service, accept, cut } = connected();
    accept();
    expect(failureOf(cloud, cloud.startDelete(SERVICE, service, ''))).toBe('DependencyViolation');
    cut();
    expect(cloud.list(CONNECTION)).toHaveLength(1);
    expect(failureOf(cloud, cloud.startDelete(SERVICE, service, ''))).toBeUndefined();
    expect(cloud.list(CONNECTION)).toEqual([]);
  });
});

describe('a connection', () => {
  test("is refused where the service's account is not permitted, in the cloud's words", () => {
    const cloud = emptyCloud();
    const { balancer } = buildBalancer(cloud);
    const service = buildService(cloud, balancer, { PermitAccountIds: ['2100000009'] });
    expect(() => connect(cloud, service)).toThrow(
      `Forbidden.AccountNotPermitted: ${service} does not permit account ${SERVICE_ACCOUNT}`,
    );
    expect(() => connect(cloud, 'epsvc-gone')).toThrow('InvalidServiceId.NotFound');
    expect(cloud.list(CONNECTION)).toEqual([]);
  });

  test('is permitted by its account, or by every account', () => {
    for (const permitted of [SERVICE_ACCOUNT, '*']) {
      const { status } = connected({ PermitAccountIds: [permitted] });
      expect(status()).toBe('PendingAcceptance');
    }
  });

  test("waits for acceptance, and is the service's account's", () => {
    const { cloud, id, endpointId, service } = connected();
    expect(cloud.get(CONNECTION, id)).toMatchObject({
      EndpointId: endpointId,
      ServiceId: service,
      EndpointOwnerAccountId: SERVICE_ACCOUNT,
      ConnectionStatus: 'PendingAcceptance',
      Zones: [],
    });
    expect(cloud.get(CONNECTION, id)).not.toHaveProperty('ZoneId');
  });

  test('is there once, however often the administrator asks', () => {
    const { cloud, service, endpointId } = connected();
    expect(connect(cloud, service).endpointId).toBe(endpointId);
    expect(cloud.list(CONNECTION)).toHaveLength(1);
  });

  test('is there anew where the one before was cut, as the remedy says', () => {
    const { cloud, service, endpointId, accept, cut } = connected();
    accept();
    cut();
    const again = connect(cloud, service);
    expect(again).toMatchObject({ status: 'PendingAcceptance' });
    expect(again.endpointId).not.toBe(endpointId);
    expect(connect(cloud, service)).toEqual(again);
  });

  test('is accepted by its creation, cut by its deletion, and accepted again', () => {
    const { cloud, id, network, accept, status, cut } = connected();
    expect(accept()).toBeUndefined();
    expect(cloud.get(CONNECTION, id)).toMatchObject({
      ConnectionStatus: 'Connected',
      Zones: [{ ResourceId: network.balancer, ZoneId: 'cn-beijing-a', ZoneStatus: 'Connected' }],
    });
    expect(accept()).toBe('InvalidOperation.ConnectionStatus');
    expect(cut()).toBeUndefined();
    expect(status()).toBe('Rejected');
    expect(accept()).toBeUndefined();
    expect(status()).toBe('Connected');
  });

  test('is rejected by its deletion while it waits', () => {
    const { status, cut } = connected();
    cut();
    expect(status()).toBe('Rejected');
  });

  test('cannot be made by accepting an endpoint that did not ask', () => {
    const { accept } = connected();
    expect(accept({ EndpointId: 'ep-gone' })).toBe('InvalidEndpointId.NotFound');
    expect(accept({ ServiceId: 'epsvc-gone' })).toBe('InvalidServiceId.NotFound');
  });

  test.each([
    ['too little bandwidth', { Bps: 99 }, '`Bps` must be 100 to 20000'],
    ['an unknown property', { Accept: true }, '`Accept` is not a property'],
    ['a read-only property', { ConnectionStatus: 'Connected' }, 'is read-only'],
  ])('is not accepted with %s', (_, facts, message) => {
    const { accept } = connected();
    expect(() => accept(facts)).toThrow(message);
  });

  test("is served by the load balancer that is asked for, if it is the service's", () => {
    const { network, cloud, id, accept } = connected();
    const allocate = (ResourceId: string) => ({
      ResourcesAllocate: [{ ResourceId, ZoneId: 'cn-beijing-a' }],
    });
    const other = buildBalancer(cloud);
    expect(accept(allocate(other.balancer))).toBe('InvalidResourcesAllocate.NotFound');
    expect(accept(allocate(network.balancer))).toBeUndefined();
    expect(cloud.get(CONNECTION, id)).not.toHaveProperty('ResourcesAllocate');
  });

  test('keeps its state when its bandwidth changes', () => {
    const { cloud, id, accept } = connected();
    accept();
    const patch = [{ op: 'replace', path: '/Bps', value: 200 }];
    expect(failureOf(cloud, cloud.startUpdate(CONNECTION, id, patch, ''))).toBeUndefined();
    expect(cloud.get(CONNECTION, id)).toMatchObject({ Bps: 200, ConnectionStatus: 'Connected' });
  });

  test('works at once where everything is accepted, and fails where nothing can serve it', () => {
    expect(connected({ AutoAcceptEnabled: true }).status()).toBe('Connected');
    const cloud = emptyCloud();
    const facts = { AutoAcceptEnabled: true, PermitAccountIds: [SERVICE_ACCOUNT] };
    const service = cloud.create(SERVICE, facts);
    const { endpointId, status } = connect(cloud, service);
    expect(status).toBe('Failed');
    const input = { ServiceId: service, EndpointId: endpointId };
    expect(failureOf(cloud, cloud.startCreate(CONNECTION, input, ''))).toBe(
      'InvalidOperation.NoServiceResource',
    );
  });

  test('lives on when its account is struck from the list: only new ones are refused', () => {
    const { cloud, service, accept, status } = connected();
    accept();
    const patch = [{ op: 'replace', path: '/PermitAccountIds', value: ['2100000009'] }];
    cloud.startUpdate(SERVICE, service, patch, '');
    expect(status()).toBe('Connected');
  });

  test.each(['PendingAcceptance', 'Rejected'] as const)('can be forced to be %s', (forced) => {
    let now: ConnectionStatus | undefined;
    const cloud = emptyCloud({ connectionStatus: () => now });
    const service = buildService(cloud, buildBalancer(cloud).balancer, { AutoAcceptEnabled: true });
    const { endpointId } = connect(cloud, service);
    const read = () => cloud.get(CONNECTION, `${service}|${endpointId}`);
    now = forced;
    expect(read()).toMatchObject({ ConnectionStatus: forced, Zones: [{ ZoneStatus: forced }] });
    now = undefined;
    expect(read()).toMatchObject({ ConnectionStatus: 'Connected' });
  });
});

test('everything can be taken down in order, and nothing is left', () => {
  const { cloud, network, service, accept, cut } = connected();
  accept();
  cut();
  for (const [typeName, id] of [
    [SERVICE, service],
    [LISTENER, network.listener],
    [SERVERS, network.servers],
    [BALANCER, network.balancer],
  ] as const) {
    expect(failureOf(cloud, cloud.startDelete(typeName, id, ''))).toBeUndefined();
  }
  expect(cloud.list(CONNECTION)).toEqual([]);
});
