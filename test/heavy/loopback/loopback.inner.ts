import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reasonOf } from '../../../src/codes/codes.js';
import { reasonOfCause } from '../../../src/codes/stated.js';
import { FAULTS } from '../../../src/sandbox/faults/index.js';
import { readText } from '../../../src/sandbox/json.js';
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.js';
import { API_HOST, SERVICE_ADDRESSES } from '../../../src/sandbox/surroundings.js';
import type { VerifiableLink } from '../../../src/verify/model/options.js';
import { verify } from '../../../src/verify/run/verify.js';
import { buildTwoZones, ENDPOINT } from '../../sandbox/support.js';
import { sandboxOptions } from '../../support/sandbox-options.js';
import { LANES } from './lanes.js';

const NOBODY = '203.0.113.77';

/** A sandbox with an endpoint in two zones. Faults strike a whole sandbox, so each test takes one. */
interface Lane {
  readonly sandbox: Sandbox;
  readonly domain: string;
}
const lanes: Lane[] = [];
const folder = mkdtempSync(join(tmpdir(), 'sandbox-loopback-'));
let packetsBefore = 0;

beforeAll(async () => {
  for (let i = 0; i < LANES; i += 1) lanes.push(await openLane(join(folder, String(i))));
}, 120_000);
afterAll(async () => {
  await Promise.all(lanes.map(({ sandbox }) => sandbox.stop()));
  rmSync(folder, { recursive: true, force: true });
});

async function openLane(stateFolder: string): Promise<Lane> {
  const sandbox = await startSandbox({ stateFolder, terraform: false, chatPolls: 0 });
  const id = buildTwoZones(sandbox.cloud);
  const made = sandbox.cloud.list(ENDPOINT).find(({ identifier }) => identifier === id);
  return { sandbox, domain: made ? readText(made.properties, 'EndpointDomain') : '' };
}

async function inLane(work: (lane: Lane) => Promise<void>): Promise<void> {
  const lane = lanes.pop();
  if (lane === undefined) throw new Error('more tests at once than lanes');
  try {
    await work(lane);
  } finally {
    lane.sandbox.faults.clear();
    lanes.push(lane);
  }
}

const endpoint = (domain: string, baseUrl = `https://${domain}`): VerifiableLink => ({
  name: 'service-endpoint',
  via: 'service-endpoint',
  baseUrl,
  apiHost: API_HOST,
  expectedAddresses: ['10.20.1.1/32', '10.20.2.1/32'],
  expectedNetworks: ['10.20.0.0/16'],
});

const fixedIp: VerifiableLink = {
  name: 'fixed-ip-egress',
  via: 'fixed-ip-egress',
  baseUrl: 'https://static-api.sandbox.example',
  apiHost: API_HOST,
  expectedAddresses: SERVICE_ADDRESSES.map((address) => `${address}/32`),
  expectedNetworks: [],
};

/** Packets that wanted out of this namespace: to an interface that leads nowhere. */
function packetsOut(): number {
  const text = execFileSync('nft', ['list', 'counter', 'inet', 'watch', 'out'], {
    encoding: 'utf8',
  });
  return Number(/packets (\d+)/.exec(text)?.[1]);
}

async function reasonsOf({ sandbox }: Lane, link: VerifiableLink, change: object = {}) {
  const options = { ...sandboxOptions(sandbox), timeoutMs: 6_000, ...change };
  const report = await verify({ ...options, links: [link] });
  return report.links.flatMap(({ stages, causes }) => [
    ...stages.flatMap((stage) => reasonOf(stage) ?? []),
    ...causes.map(reasonOfCause),
  ]);
}

test('the watch sees a packet that leaves', async () => {
  const before = packetsOut();
  const socket = createSocket('udp4');
  await new Promise((sent) => socket.send('x', 9, NOBODY, sent));
  socket.close();
  packetsBefore = packetsOut();
  expect(packetsBefore).toBeGreaterThan(before);
});

test.concurrent.each(
  FAULTS.filter((fault) => !('only' in fault) || fault.only === 'fixed-ip-egress'),
)('$name is made, and named, without a packet beyond loopback', (fault) =>
  inLane(async (lane) => {
    const { name, code, never } = fault;
    lane.sandbox.faults.set(name);
    const reasons = await reasonsOf(lane, 'only' in fault ? fixedIp : endpoint(lane.domain), {
      ...('flags' in fault && { settle: 2, retryDelayMs: 1 }),
    });
    const causes = 'causes' in fault ? fault.causes : [];
    expect(reasons).toEqual(expect.arrayContaining([code, ...causes]));
    expect(reasons.filter((each) => never.some((wrong) => wrong === each))).toEqual([]);
    expect(packetsOut()).toBe(packetsBefore);
  }));

test.concurrent.each<[what: string, link: (domain: string) => VerifiableLink, code?: string]>([
  ['no fault', (domain) => endpoint(domain)],
  [
    'another port of the endpoint',
    (domain) => endpoint(domain, `https://${domain}:8443`),
    'tcp.timeout',
  ],
  ['plain http', (domain) => endpoint(domain, `http://${domain}`), 'tcp.timeout'],
  [
    'another port of the fixed addresses',
    () => ({ ...fixedIp, baseUrl: `${fixedIp.baseUrl}:8443` }),
    'tcp.refused',
  ],
  [
    'an address that is nobody’s',
    (domain) => ({ ...endpoint(domain, `https://${NOBODY}`), via: 'internet' }),
    'tcp.timeout',
  ],
])('%s: nothing leaves loopback', (_, link, code) =>
  inLane(async (lane) => {
    const reasons = await reasonsOf(lane, link(lane.domain));
    expect(reasons[0]).toBe(code);
    expect(packetsOut()).toBe(packetsBefore);
  }));
