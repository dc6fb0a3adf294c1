import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { BACKEND_FAULTS, FAULTS, type FaultName } from '../../src/sandbox/faults/index.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';
import { API_HOST } from '../../src/sandbox/surroundings.js';
import { textReport } from '../../src/verify/reports/text-report.js';
import { verify } from '../../src/verify/run/verify.js';
import { expectRow, LINK_FAULTS } from '../support/link-faults.js';
import { sandboxOptions } from '../support/sandbox-options.js';
import {
  buildBalancer,
  buildService,
  buildTwoZones,
  ENDPOINT,
  GROUP,
  giveKey,
  rule,
  sandboxForTest,
} from './support.js';

type Fault = (typeof LINK_FAULTS)[number];

let shared: { readonly sandbox: Sandbox; readonly endpointId: string };
const folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));

beforeAll(async () => {
  giveKey(folder);
  const sandbox = await startSandbox({ stateFolder: folder, terraform: false });
  shared = { sandbox, endpointId: buildTwoZones(sandbox.cloud) };
});
afterEach(() => shared.sandbox.faults.clear());
afterAll(async () => {
  await shared.sandbox.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Checks an endpoint with an address in each of two zones, as a deploy leaves it. */
async function check(sandbox: Sandbox, endpointId: string, fault: Fault, timeoutMs = 10_000) {
  const { EndpointDomain: domain } = sandbox.cloud.get(ENDPOINT, endpointId);
  const zones = [
    { name: 'cn-beijing-a', network: '10.20.1.0/24' },
    { name: 'cn-beijing-b', network: '10.20.2.0/24' },
  ];
  const link = {
    name: 'api',
    via: 'service-endpoint' as const,
    baseUrl: `https://${domain}`,
    apiHost: API_HOST,
    expectedAddresses: ['10.20.1.1/32', '10.20.2.1/32'],
    expectedNetworks: zones.map(({ network }) => network),
    zones,
  };
  const verification = await verify({
    ...sandboxOptions(sandbox),
    links: [link],
    ...('flags' in fault && { settle: 2 }),
    timeoutMs,
  });
  // Another link, which passes, would have a blank line and two of its own.
  const text = textReport(verification);
  expect(text.trimEnd().split('\n').length, text).toBeLessThanOrEqual(25 - 3);
  return verification.links;
}

const isSilent = ({ code }: Fault) => code.endsWith('.timeout');

test.each(
  LINK_FAULTS.filter((fault) => !isSilent(fault)),
)('the check names $code when $about', async (fault) => {
  shared.sandbox.faults.set(fault.name);
  expectRow(fault, await check(shared.sandbox, shared.endpointId, fault));
});

// Each of them waits, and they wait together. On a busy machine two seconds are too few for what answers: then
// a fault is checked once more, alone.
test('the check names what is met by silence', async () => {
  const silent = LINK_FAULTS.filter(isSilent);
  const checked = async (fault: Fault, timeoutMs: number) => {
    const faults: FaultName[] = [fault.name];
    const sandbox = await sandboxForTest({ faults });
    return check(sandbox, buildTwoZones(sandbox.cloud), fault, timeoutMs);
  };
  const results = await Promise.all(silent.map((fault) => checked(fault, 2_000)));
  for (const [index, links] of results.entries()) {
    const fault = silent[index];
    if (fault === undefined) continue;
    try {
      expectRow(fault, links);
    } catch {
      expectRow(fault, await checked(fault, 8_000));
    }
  }
});

test.each(
  BACKEND_FAULTS,
)('the check of a plugin’s servers names $code when $about', async (fault) => {
  const sandbox = await sandboxForTest({ faults: [fault.name] });
  const { balancer, vpc } = buildBalancer(sandbox.cloud);
  const serviceId = buildService(sandbox.cloud, balancer);
  const open = rule({ PortStart: 8080, PortEnd: 8080 });
  sandbox.cloud.create(GROUP, { VpcId: vpc, IngressPermissions: [open] });
  const healthCheck = { protocol: 'HTTP', path: '/health', timeoutSeconds: 1 } as const;
  const servers = ['10.20.1.10:8080'];
  const { backends } = await verify({
    ...sandboxOptions(sandbox),
    ownAddresses: ['10.20.1.252'],
    links: [],
    plugins: [{ name: 'plugin', serviceId, networks: ['10.20.0.0/16'], servers, healthCheck }],
  });
  expect(backends).toMatchObject([{ status: 'failed', code: fault.code }]);
  expect(fault.never).not.toContain(backends?.[0]?.code);
});

/** Faults that other tests prove, by their files in this folder. */
const ELSEWHERE = {
  'network/fixed-ip': ['address-not-listed', 'egress-closed'],
  'plugin/call-plugin': ['connection-pending', 'connection-rejected'],
};

test('every other fault has a test of its own', () => {
  const here = new Set<string>([...LINK_FAULTS, ...BACKEND_FAULTS].map(({ name }) => name));
  const others = FAULTS.filter(({ name }) => !here.has(name)).map(({ name }) => name);
  expect(others).toEqual(Object.values(ELSEWHERE).flat());
});
