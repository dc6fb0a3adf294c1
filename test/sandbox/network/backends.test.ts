import { describe, expect, test } from 'vitest';
import type { Plugin } from '../../../src/link/link.js';
import type { JsonObject } from '../../../src/sandbox/json.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { verifyHere } from '../../../src/verify/run/verify-here.js';
import { sandboxOptions } from '../../support/sandbox-options.js';
import { buildBalancer, GROUP, rule, SERVERS, sandboxForTest } from '../support.js';

const SERVER = '10.20.1.10:8080';

const LINK = { CidrIp: '100.64.0.0/10', PortStart: 8080, PortEnd: 8080 };

/** A sandbox with a load balancer whose only server has a group with these rules. */
async function guarded(rules: JsonObject[], client?: string): Promise<Sandbox> {
  const sandbox = await sandboxForTest(client === undefined ? {} : { clientAddress: () => client });
  const { group, vpc } = buildBalancer(sandbox.cloud);
  sandbox.cloud.startDelete(GROUP, group, '');
  sandbox.cloud.create(GROUP, { VpcId: vpc, IngressPermissions: rules });
  return sandbox;
}

/** Checks the server, and answers the status of its result. */
async function check(sandbox: Sandbox) {
  const plugin: Plugin = {
    name: 'orders',
    serviceId: 'epsvc-1',
    networks: ['10.20.1.0/24'],
    servers: [SERVER],
    healthCheck: { protocol: 'TCP', timeoutSeconds: 1 },
  };
  const { backends } = await verifyHere({
    links: [],
    plugins: [plugin],
    waitMs: 0,
    ...sandboxOptions(sandbox),
  });
  return backends?.[0]?.status;
}

describe('a dial of a server behind a load balancer', () => {
  test.each([
    ['from the load balancer', [rule(LINK)], '100.64.0.9', 'passed'],
    ['from the network', [rule(LINK)], undefined, 'skipped'],
    [
      'by a rule for another port',
      [rule({ ...LINK, PortStart: 80, PortEnd: 80 })],
      '100.64.0.9',
      'skipped',
    ],
    ['by no rule', [], '100.64.0.9', 'skipped'],
    [
      'from whoever a rule lets in',
      [rule({ ...LINK, CidrIp: '10.20.0.0/16' })],
      undefined,
      'passed',
    ],
  ] as const)('is decided by the groups: %s', async (_, rules, client, status) => {
    expect(await check(await guarded([...rules], client))).toBe(status);
  });

  test('goes through where no group guards servers', async () => {
    const sandbox = await sandboxForTest();
    const { group } = buildBalancer(sandbox.cloud);
    sandbox.cloud.startDelete(GROUP, group, '');
    expect(sandbox.resources().some(({ typeName }) => typeName === SERVERS)).toBe(true);
    expect(await check(sandbox)).toBe('passed');
  });
});
