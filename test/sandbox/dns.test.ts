import { Resolver } from 'node:dns/promises';
import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { buildEndpoint, ENDPOINT, sandboxForTest } from './support.js';

function resolverOf({ ports }: Sandbox): Resolver {
  const resolver = new Resolver({ timeout: 200, tries: 1 });
  resolver.setServers([`127.0.0.1:${ports.dns}`]);
  return resolver;
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
    const lookup = resolver.resolve4('api.sandbox.example');
    await expect(lookup).rejects.toMatchObject({ code: 'ENOTFOUND' });
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
  ] as const)('under %s a client sees %s, and the address afterwards', async (fault, code) => {
    const { sandbox, domain, resolver } = await withEndpoint();
    sandbox.faults.set(fault);
    await expect(resolver.resolve4(domain)).rejects.toMatchObject({ code });
    sandbox.faults.clear();
    expect(await resolver.resolve4(domain)).toEqual(['10.20.1.1']);
  });

  test.each([
    ['address-public', '203.0.113.10'],
    ['address-unexpected', '10.20.1.253'],
  ] as const)('under %s it answers %s', async (fault, address) => {
    const { sandbox, domain, resolver } = await withEndpoint();
    sandbox.faults.set(fault);
    expect(await resolver.resolve4(domain)).toEqual([address]);
  });
});
