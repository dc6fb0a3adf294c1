import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FIXED_ADDRESSES } from '../../src/net/fixed-addresses.js';
import type { Verification } from '../../src/verify/model/verification.js';
import { StackRun } from '../support/stack-run.js';

let run: StackRun;

beforeAll(async () => {
  run = await StackRun.start();
  run.change('sandbox', (settings) => {
    Object.assign(settings, {
      fixedIpEgress: {
        name: 'agent-api',
        baseUrl: 'https://static-api.sandbox.example',
        securityGroup: {},
        prefixList: {},
        cloudFirewall: { own: ['198.51.100.7/32', '198.51.100.8/32'], close: true },
      },
      fixedIpIngress: {
        name: 'tickets',
        backend: 'tickets',
        ports: [443],
        addresses: {
          version: '2026-05-04',
          entries: [{ address: '192.0.2.1', firstSeen: '2026-05-04', source: 'letter' }],
        },
        prefixList: {},
        cloudFirewall: { own: ['198.51.100.9/32'], close: true },
      },
    });
    Object.assign(settings.serviceEndpoint as object, { privateZone: true });
  });
});
afterAll(async () => {
  await run.stop();
});

describe('fixed-IP access to the API, beside an endpoint with a private zone', () => {
  const stack = 'api-access-sandbox';

  test('is proved by the deploy, over every one of its addresses', async () => {
    const outputs = join(run.folder, 'outputs.json');
    const { status, output } = await run.apply(stack);
    expect(status, output).toBe(0);
    expect(output).toContain('service-endpoint-api-host');
    const { stdout } = await run.verify(['--outputs-file', outputs, '--format', 'json']);
    const { links } = JSON.parse(stdout) as Verification;
    expect(links).toContainEqual(
      expect.objectContaining({
        name: 'service-endpoint-api-host',
        via: 'service-endpoint',
        baseUrl: 'https://api.sandbox.example',
      }),
    );
    const handshakes = links
      .flatMap(({ stages }) => stages)
      .filter(({ evidence }) => evidence.serverName === 'static-api.sandbox.example');
    expect(new Set(handshakes.map(({ address }) => address)).size).toBe(
      FIXED_ADDRESSES.entries.length,
    );
    expect(handshakes.map(({ stage, status }) => [stage, status])).toEqual(
      handshakes.map(() => ['tls', 'passed']),
    );
  });

  test('leaves nothing to change', async () => {
    expect(await secondPlan(stack)).toBe(0);
  });

  test('is cut by an address that the rules no longer let through', async () => {
    run.change('sandbox', (settings) => {
      const { fixedIpEgress } = settings as { fixedIpEgress: object };
      Object.assign(fixedIpEgress, { addresses: { version: '2', entries: listWithout(6) } });
    });
    const { status, output } = await run.apply(stack, { SECURE_CONNECTIVITY_TIMEOUT: '5s' });
    expect(status).not.toBe(0);
    expect(output).toContain('address.unexpected');
  });

  test('is destroyed without a trace', async () => {
    const { status, output } = await run.destroy(stack);
    expect(status, output).toBe(0);
    expect(run.sandbox.resources()).toEqual([]);
  });
});

describe('fixed-IP access to a plugin', () => {
  const stack = 'plugin-access-sandbox';

  test('is deployed, has nothing to change, and is destroyed', async () => {
    const deployed = await run.apply(stack);
    expect(deployed.status, deployed.output).toBe(0);
    expect(await secondPlan(stack)).toBe(0);
    const destroyed = await run.destroy(stack);
    expect(destroyed.status, destroyed.output).toBe(0);
    expect(run.sandbox.resources()).toEqual([]);
  });
});

async function secondPlan(stack: string): Promise<number | null> {
  const { status } = await run.terraform(stack, ['plan', '-detailed-exitcode', '-input=false']);
  return status;
}

/** The shipped list as a list of one's own, from which the last addresses are removed. */
function listWithout(count: number): object[] {
  const { entries } = FIXED_ADDRESSES;
  return entries.map((entry, i) =>
    i < entries.length - count ? entry : { ...entry, state: 'removed' },
  );
}
