import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { encode } from 'dns-packet';
import { describe, expect, test } from 'vitest';
import type { FaultName } from '../../../src/sandbox/faults/index.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { SERVICE_ADDRESSES } from '../../../src/sandbox/surroundings.js';
import { buildEndpoint, ENDPOINT, RECORD, sandboxForTest, VPC, ZONE } from '../support.js';

/** A busy machine answers late; only where no answer comes is the wait short. */
const PATIENT = 30_000;

function resolverOf({ ports }: Sandbox, timeout = PATIENT): Resolver {
  const resolver = new Resolver({ timeout, tries: 1 });
  resolver.setServers([`127.0.0.1:${ports.dns}`]);
  return resolver;
}

/** One query over UDP, as a client without EDNS asks it. */
async function ask({ ports }: Sandbox, name: string): Promise<Buffer> {
  const socket = createSocket('udp4');
  try {
    const query = encode({ type: 'query', id: 1, questions: [{ type: 'A', name }] });
    const answered = once(socket, 'message');
    socket.send(query, ports.dns, '127.0.0.1');
    const [message] = (await answered) as [Buffer];
    return message;
  } finally {
    socket.close();
  }
}

async function withEndpoint() {
  const sandbox = await sandboxForTest();
  const id = buildEndpoint(sandbox.cloud);
  const domain = `${id}.epsvc-sandbox.cn-beijing.privatelink.volces.com`;
  return { sandbox, id, domain, resolver: resolverOf(sandbox) };
}

describe('DNS', () => {
  test('answers the true addresses of an endpoint, and of its zones, in any case of letters', async () => {
    const { id, domain, resolver } = await withEndpoint();
    expect(await resolver.resolve4(domain)).toEqual(['10.20.1.1']);
    expect(await resolver.resolve4(domain.toUpperCase())).toEqual(['10.20.1.1']);
    expect(await resolver.resolve4(domain.replace(id, `${id}-cn-beijing-a`))).toEqual([
      '10.20.1.1',
    ]);
  });

  test('has no IPv6 address for a name that exists', async () => {
    const { domain, resolver } = await withEndpoint();
    await expect(resolver.resolve6(domain)).rejects.toMatchObject({ code: 'ENODATA' });
  });

  test('does not know other names', async () => {
    const { resolver } = await withEndpoint();
    const lookup = resolver.resolve4('other.sandbox.example');
    await expect(lookup).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test('has a public address for the API host and the names below it', async () => {
    const { resolver } = await withEndpoint();
    expect(await resolver.resolve4('api.sandbox.example')).toEqual(['192.31.196.10']);
    expect(await resolver.resolve4('status.api.sandbox.example')).toEqual(['192.31.196.10']);
  });

  test('answers all fixed addresses of the service, in a message that needs no EDNS', async () => {
    const sandbox = await sandboxForTest();
    const host = 'static-api.sandbox.example';
    const addresses = await resolverOf(sandbox).resolve4(host);
    expect(addresses).toHaveLength(24);
    expect(addresses.sort()).toEqual([...SERVICE_ADDRESSES].sort());
    expect((await ask(sandbox, host)).length).toBeLessThanOrEqual(512);
  });

  test('forgets an endpoint with its deletion', async () => {
    const { sandbox, id, domain, resolver } = await withEndpoint();
    sandbox.cloud.startDelete(ENDPOINT, id, '');
    await expect(resolver.resolve4(domain)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test.each([
    ['dns-missing', 'ENOTFOUND'],
    ['pending-acceptance', 'ENOTFOUND'],
    ['dns-server-failed', 'ESERVFAIL'],
    ['dns-silent', 'ETIMEOUT'],
    ['dns-slow', 'ETIMEOUT'],
    ['dns-wrong-server', 'ENOTFOUND'],
    ['dns-shadowed', 'ENOTFOUND'],
  ] as const)('under %s a client sees %s, and the address afterwards', async (fault, code) => {
    const { sandbox, domain, resolver } = await withEndpoint();
    const struck = code === 'ETIMEOUT' ? resolverOf(sandbox, 200) : resolver;
    sandbox.faults.set(fault);
    await expect(struck.resolve4(domain)).rejects.toMatchObject({ code });
    sandbox.faults.clear();
    expect(await resolver.resolve4(domain)).toEqual(['10.20.1.1']);
  });

  test.each([
    ['address-public', '192.31.196.10'],
    ['address-sinkhole', '0.0.0.0'],
    ['address-unexpected', '10.20.1.253'],
    ['dns-split-horizon', '192.31.196.10'],
  ] as const)('under %s it answers %s', async (fault, address) => {
    const { sandbox, domain, resolver } = await withEndpoint();
    sandbox.faults.set(fault);
    expect(await resolver.resolve4(domain)).toEqual([address]);
  });
});

test('the other DNS server shares what is wrong with the world, and not what is wrong with the first', async () => {
  const { sandbox, domain } = await withEndpoint();
  const resolver = new Resolver({ timeout: PATIENT, tries: 1 });
  resolver.setServers([sandbox.env.SECURE_CONNECTIVITY_COMPARE_RESOLVER ?? '']);
  const under = async (fault: FaultName) => {
    sandbox.faults.set(fault);
    const answer = await resolver.resolve4(domain).catch(({ code }) => code as string);
    sandbox.faults.clear();
    return answer;
  };
  expect(await resolver.resolve4(domain)).toEqual(['10.20.1.1']);
  for (const fault of ['dns-silent', 'dns-slow', 'dns-server-failed'] as const) {
    expect(await under(fault)).toEqual(['10.20.1.1']);
  }
  expect(await under('dns-wrong-server')).toEqual(['10.20.1.1']);
  expect(await under('dns-split-horizon')).toEqual(['10.20.1.1']);
  expect(await under('dns-shadowed')).toEqual(['192.31.196.10']);
  expect(await under('address-public')).toEqual(['192.31.196.10']);
  expect(await under('dns-missing')).toBe('ENOTFOUND');
  expect(await under('pending-acceptance')).toBe('ENOTFOUND');
});

test('under dns-flipping the name is there every other time', async () => {
  const { sandbox, domain, resolver } = await withEndpoint();
  sandbox.faults.set('dns-flipping');
  for (let i = 0; i < 2; i += 1) {
    expect(await resolver.resolve4(domain)).toEqual(['10.20.1.1']);
    await expect(resolver.resolve4(domain)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  }
  sandbox.faults.clear();
  expect(await resolver.resolve4(domain)).toEqual(['10.20.1.1']);
  expect(await resolver.resolve4(domain)).toEqual(['10.20.1.1']);
});

describe('a private zone', () => {
  const API = 'api.sandbox.example';

  async function withZone(facts: object = {}) {
    const { sandbox, domain, resolver } = await withEndpoint();
    const { cloud } = sandbox;
    const [vpc] = cloud.list(VPC);
    const Vpcs = [{ VpcId: vpc?.identifier ?? '', Region: 'cn-beijing' }];
    const zone = cloud.create(ZONE, { ZoneName: API, Vpcs, ...facts });
    const add = (Host: string, Type: string, Value: string, more: object = {}) =>
      cloud.create(RECORD, { ZID: Number(zone), Host, Type, Value, ...more });
    return { sandbox, domain, resolver, add };
  }

  const unknown = { code: 'ENOTFOUND' };

  test('makes the API host resolve to the endpoint inside the VPC', async () => {
    const { resolver, add } = await withZone();
    await expect(resolver.resolve4(API)).rejects.toMatchObject(unknown);
    add('@', 'A', '10.20.1.1');
    expect(await resolver.resolve4(API)).toEqual(['10.20.1.1']);
  });

  test('is struck by what is wrong with names, as the endpoint domain is', async () => {
    const { sandbox, resolver, add } = await withZone();
    add('@', 'A', '10.20.1.1');
    const other = new Resolver({ timeout: PATIENT, tries: 1 });
    other.setServers([sandbox.env.SECURE_CONNECTIVITY_COMPARE_RESOLVER ?? '']);
    const under = async (fault: FaultName) => {
      sandbox.faults.set(fault);
      const ask = (each: Resolver) => each.resolve4(API).catch(({ code }) => code as string);
      const answers = await Promise.all([ask(resolver), ask(other)]);
      sandbox.faults.clear();
      return answers.flat();
    };
    expect(await under('dns-shadowed')).toEqual(['ENOTFOUND', '192.31.196.10']);
    expect(await under('dns-split-horizon')).toEqual(['192.31.196.10', '10.20.1.1']);
    expect(await under('dns-wrong-server')).toEqual(['ENOTFOUND', '10.20.1.1']);
    expect(await under('address-unexpected')).toEqual(['10.20.1.253', '10.20.1.253']);
  });

  test('can say it by an alias, which is followed and shown', async () => {
    const { resolver, add, domain } = await withZone();
    add('@', 'CNAME', `${domain}.`);
    expect(await resolver.resolve4(API)).toEqual(['10.20.1.1']);
    expect(await resolver.resolve4(API.toUpperCase())).toEqual(['10.20.1.1']);
  });

  test('hides what is public below its name, unless it is recursive', async () => {
    const hiding = await withZone({ ZoneName: 'sandbox.example' });
    hiding.add('api', 'A', '10.20.1.1');
    expect(await hiding.resolver.resolve4(API)).toEqual(['10.20.1.1']);
    const fixed = 'static-api.sandbox.example';
    await expect(hiding.resolver.resolve4(fixed)).rejects.toMatchObject(unknown);
    const passing = await withZone({ ZoneName: 'sandbox.example', RecursionMode: true });
    expect(await passing.resolver.resolve4(fixed)).toHaveLength(24);
  });

  test('leaves its name and those below it to public DNS while it has no record, if recursive', async () => {
    const hiding = await withZone();
    await expect(hiding.resolver.resolve4(`status.${API}`)).rejects.toMatchObject(unknown);
    const { resolver, add } = await withZone({ RecursionMode: true });
    expect(await resolver.resolve4(API)).toEqual(['192.31.196.10']);
    add('@', 'A', '10.20.1.1');
    expect(await resolver.resolve4(API)).toEqual(['10.20.1.1']);
    expect(await resolver.resolve4(`status.${API}`)).toEqual(['192.31.196.10']);
  });

  test('counts only in its own VPC', async () => {
    const { resolver, sandbox, add } = await withZone({ Vpcs: [] });
    add('@', 'A', '10.20.1.1');
    expect(sandbox.cloud.list(ZONE)).toHaveLength(1);
    expect(await resolver.resolve4(API)).toEqual(['192.31.196.10']);
  });

  test('passes over a record that is off, and has one for every other name', async () => {
    const { resolver, add } = await withZone();
    add('@', 'A', '10.20.1.1', { Enable: false });
    await expect(resolver.resolve4(API)).rejects.toMatchObject(unknown);
    add('*', 'A', '10.20.1.9');
    expect(await resolver.resolve4(`eu.${API}`)).toEqual(['10.20.1.9']);
  });

  test('answers an alias of itself as not found', async () => {
    const { resolver, add } = await withZone();
    add('@', 'CNAME', API);
    await expect(resolver.resolve4(API)).rejects.toMatchObject(unknown);
  });

  test('has no address where it has other records', async () => {
    const { resolver, add } = await withZone();
    add('@', 'TXT', 'hello');
    await expect(resolver.resolve4(API)).rejects.toMatchObject({ code: 'ENODATA' });
  });
});

test('under address-not-listed the fixed-IP host has an address that is in no list', async () => {
  const sandbox = await sandboxForTest({ faults: ['address-not-listed'] });
  const resolver = resolverOf(sandbox);
  const addresses = await resolver.resolve4('static-api.sandbox.example');
  expect(addresses.filter((each) => !SERVICE_ADDRESSES.includes(each))).toEqual(['192.31.196.10']);
  sandbox.faults.clear();
  expect(await resolver.resolve4('static-api.sandbox.example')).not.toContain('192.31.196.10');
});

test('a server for clients of one VPC asks the zones of that VPC alone', async () => {
  const { sandbox, id } = await withEndpoint();
  const { cloud } = sandbox;
  const own = String(cloud.get(ENDPOINT, id).VpcId);
  const zone = cloud.create(ZONE, {
    ZoneName: 'api.sandbox.example',
    Vpcs: [{ Region: 'cn-beijing', VpcId: own }],
  });
  cloud.create(RECORD, { ZID: Number(zone), Host: '@', Type: 'A', Value: '10.20.1.1' });
  const found = [own, cloud.create(VPC, { CidrBlock: '10.99.0.0/16' })].map(async (vpc) => {
    const { port, stop } = await sandbox.startNames([vpc]);
    const resolver = new Resolver({ timeout: PATIENT, tries: 1 });
    resolver.setServers([`127.0.0.1:${port}`]);
    return await resolver.resolve4('api.sandbox.example').finally(stop);
  });
  const [there, elsewhere] = await Promise.all(found);
  expect(there).toEqual(['10.20.1.1']);
  expect(elsewhere).not.toEqual(there);
});
