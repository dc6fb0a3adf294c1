import { expect, test } from 'vitest';
import { changesSince } from '../../src/verify/baseline/changes-since.js';
import { latencyClass } from '../../src/verify/baseline/latency-class.js';
import type { Finding, LinkResult } from '../../src/verify/verification.js';
import { ENDPOINT_HOST } from '../support/application.js';
import { createAuthority } from '../support/certificates.js';
import { startService } from '../support/service-server.js';
import { ADDRESS, check, createWorld, link } from '../support/verifiable-link.js';

const OTHER = '10.1.130.4';
const ZONES = [
  { name: 'cn-beijing-a', network: '10.1.0.0/17' },
  { name: 'cn-beijing-b', network: '10.1.128.0/17' },
];
const LINKS = [link({ expectedAddresses: [], zones: ZONES })];

test('nothing has changed', async () => {
  const world = await createWorld();
  const baseline = await check(world, { links: LINKS });
  expect(baseline.links[0]).not.toHaveProperty('changes');
  const again = await check(world, { links: LINKS, baseline });
  expect(again.links[0]?.changes?.filter(({ what }) => what !== 'latency')).toEqual([]);
});

test('another address in another zone, with another certificate of another issuer', async () => {
  const world = await createWorld();
  const baseline = await check(world, { links: LINKS });
  const stranger = await createAuthority('Other Authority');
  const replaced = await startService(await stranger.issue([ENDPOINT_HOST]));
  world.dns = { names: { [ENDPOINT_HOST]: [OTHER] } };
  await world.connectTo({ [OTHER]: replaced.port });
  const { links } = await check(world, { links: LINKS, baseline });
  const changes = links[0]?.changes ?? [];
  expect(changes.map(({ what }) => what)).toEqual([
    'verdict',
    'addresses',
    'certificate',
    'issuer',
    'zone',
  ]);
  expect(changes).toMatchObject([
    { before: 'reachable', after: 'unreachable' },
    { before: ADDRESS, after: OTHER },
    { before: expect.stringMatching(/^[0-9A-F:]+$/) },
    { before: 'Test Authority', after: 'Other Authority' },
    { before: 'cn-beijing-a', after: 'cn-beijing-b' },
  ]);
});

test('a link that works elsewhere tells its zones', async () => {
  const world = await createWorld();
  const baseline = await check(world, { links: LINKS });
  world.dns = { names: { [ENDPOINT_HOST]: [OTHER] } };
  await world.connectTo({ [OTHER]: world.service.port });
  const { links } = await check(world, { links: LINKS, baseline });
  expect(links[0]?.changes).toEqual([
    { what: 'addresses', before: ADDRESS, after: OTHER },
    { what: 'zone', before: 'cn-beijing-a', after: 'cn-beijing-b' },
  ]);
});

test('what was not seen has not changed, and a new link has no past', async () => {
  const world = await createWorld();
  const baseline = await check(world, { links: LINKS });
  world.dns = { names: {} };
  await world.connectTo({});
  const lost = await check(world, { links: LINKS, baseline });
  expect(lost.links[0]?.changes).toEqual([
    { what: 'verdict', before: 'reachable', after: 'unreachable' },
  ]);
  const other = await check(world, { links: [link({ name: 'new' })], baseline });
  expect(other.links[0]?.changes).toEqual([]);
});

function dialled(elapsedMs: number): LinkResult {
  const finding: Finding = {
    stage: 'tcp',
    status: 'passed',
    elapsedMs,
    address: ADDRESS,
    evidence: {},
  };
  return {
    name: 'api',
    via: 'private-network',
    baseUrl: `https://${ENDPOINT_HOST}`,
    verdict: 'reachable',
    elapsedMs,
    attempts: 1,
    accessDigest: '',
    notes: [],
    reroutes: [],
    causes: [],
    ruledOut: [],
    stages: [finding],
  };
}

test.each([
  [1, 30, ['under 2 ms → under 50 ms']],
  [30, 1, ['under 50 ms → under 2 ms']],
  [9.5, 10.5, []],
  [600, 900, []],
  [12, 40, []],
])('a dial of %d ms that now takes %d ms', (before, after, expected) => {
  const baseline = {
    schema: 'secure-connectivity/verification@1',
    verdict: 'reachable',
    startedAt: '',
    elapsedMs: 0,
    accessDigest: '',
    settings: [],
    links: [dialled(before)],
  } as const;
  const changes = changesSince(
    { ...baseline, settings: [], links: [dialled(before)] },
    dialled(after),
    link(),
  );
  expect(changes.map((one) => `${one.before} → ${one.after}`)).toEqual(expected);
});

test('classes of latency have no gap', () => {
  expect([0, 2, 10, 50, 150, 500].map((ms) => latencyClass(ms).index)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(latencyClass(9_999).text).toBe('500 ms or more');
});
