import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encodeLinks } from '../../../src/link/link.js';
import type { Finding, LinkResult } from '../../../src/verify/model/verification.js';
import { verificationSchema } from '../../../src/verify/model/verification.js';
import { htmlReport } from '../../../src/verify/reports/html/page.js';
import { junitReport } from '../../../src/verify/reports/junit.js';
import { markdownReport } from '../../../src/verify/reports/markdown.js';
import { textReport } from '../../../src/verify/reports/text.js';
import { changesSince, latencyClass } from '../../../src/verify/run/baseline.js';
import { ENDPOINT_HOST } from '../../support/application.js';
import { createAuthority } from '../../support/certificates.js';
import { runHere } from '../../support/run-here.js';
import { startService } from '../../support/service-server.js';
import { unwrapped } from '../../support/unwrapped.js';
import { ADDRESS, check, createWorld, link, type World } from '../../support/verifiable-link.js';
import { worldFlags } from '../../support/world-flags.js';
import { allNamed, parseXml } from '../../support/xml.js';

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

test('what was not seen has not changed; a link that is new and one that is gone are reported', async () => {
  const world = await createWorld();
  const baseline = await check(world, { links: LINKS });
  world.dns = { names: {} };
  await world.connectTo({});
  const lost = await check(world, { links: LINKS, baseline });
  expect(lost.links[0]?.changes).toEqual([
    { what: 'verdict', before: 'reachable', after: 'unreachable' },
  ]);
  expect(lost).not.toHaveProperty('changes');
  const other = await check(world, { links: [link({ name: 'other' })], baseline });
  const baseUrl = `https://${ENDPOINT_HOST}`;
  expect(other.links[0]?.changes).toEqual([{ what: 'new', before: '', after: baseUrl }]);
  expect(other.changes).toEqual([{ what: 'gone', link: 'api', before: baseUrl, after: '' }]);
  expect(verificationSchema.parse(other)).toEqual(other);
  const reports = [textReport, markdownReport, htmlReport, junitReport].map((one) =>
    unwrapped(one(other)),
  );
  for (const report of reports) {
    expect(report).toMatch(/gone: api \(.*(is in the baseline, and was not checked)/);
    expect(report).toContain('new: the baseline does not have this link');
  }
  expect(allNamed(parseXml(junitReport(other)), 'skipped').at(-1)?.attributes.message).toMatch(
    /^gone/,
  );
});

/** A file of targets with links of these names. */
async function targets(world: World, ...names: readonly string[]): Promise<string> {
  const { accessDigest: _, ...one } = link();
  const file = join(world.folder, `${names.join('-')}.jsonl`);
  await writeFile(file, names.map((name) => JSON.stringify({ ...one, name })).join('\n'));
  return file;
}

test('JSON lines are a baseline too: new links in the lines, links that are gone at the end', async () => {
  const world = await createWorld();
  const baseline = join(world.folder, 'baseline');
  const run = (file: string, ...more: string[]) =>
    runHere(['verify', '--targets', file, ...worldFlags(world), ...more]);
  const first = await run(await targets(world, 'a', 'b'), '--format', `jsonl=${baseline}`);
  expect(first.exit).toBe(0);
  const next = await targets(world, 'b', 'c');
  const second = await run(next, '--baseline', baseline);
  const changes = second.stdout
    .trimEnd()
    .split('\n')
    .map((line): [string, string[]] => {
      const { name, changes: found } = JSON.parse(line);
      return [name, found.map(({ what }: { what: string }) => what)];
    });
  const what = Object.fromEntries(changes);
  expect(what.c).toEqual(['new']);
  expect(what.b?.filter((one) => one !== 'latency')).toEqual([]);
  expect(second.stderr).toMatch(
    /\nverify: gone: a \(https:.*\) is in the baseline, and was not checked\n$/,
  );
  const part = await run(next, '--baseline', baseline, '--shard', '1/2');
  expect([part.exit, part.stderr]).toEqual([0, expect.not.stringContaining('gone')]);
});

test('a link that another part checks is not gone', async () => {
  const world = await createWorld();
  const outputs = join(world.folder, 'outputs.json');
  const baseline = join(world.folder, 'baseline.json');
  const links = ['a', 'b', 'c'].map((name) => {
    const { accessDigest: _, ...one } = link({ name });
    return one;
  });
  const write = (own: typeof links) =>
    writeFile(
      outputs,
      JSON.stringify({ stack: { connectivity: encodeLinks({ accessDigest: 'd', links: own }) } }),
    );
  const run = (...more: string[]) =>
    runHere(['verify', '--outputs-file', outputs, ...worldFlags(world), ...more]);
  await write(links);
  await run('--format', `json=${baseline}`);
  await write(links.slice(0, 2));
  const part = await run('--baseline', baseline, '--shard', '2/2');
  expect(part.stdout).toMatch(/changed {2}gone: c /);
  expect(part.stdout).not.toMatch(/gone: a /);
});

test.each([
  ['', 'empty'],
  [
    'nonsense',
    /line 1 must be a result that `verify --format jsonl` wrote, got: text that is not JSON, or is nested too deeply\)/,
  ],
  ['{\n"a": 1\n}', /line 1 must be a result .* got: `schema` is required/],
  [
    '{"schema":"secure-connectivity/verification@1"}',
    /must be a report that `verify --format json` wrote, got: `verdict`/,
  ],
])('a baseline "%s" is refused', async (text, why) => {
  const world = await createWorld();
  const file = join(world.folder, 'baseline');
  await writeFile(file, text);
  const { exit, stderr } = await runHere([
    ...['verify', '--targets', await targets(world, 'a'), ...worldFlags(world), '--baseline', file],
  ]);
  expect([exit, stderr]).toEqual([
    2,
    expect.stringMatching(/^secure-connectivity: `--baseline` must be/),
  ]);
  expect(stderr).toMatch(why);
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
    via: 'service-endpoint',
    baseUrl: `https://${ENDPOINT_HOST}`,
    verdict: 'reachable',
    elapsedMs,
    attempts: 1,
    accessDigest: '',
    notes: [],
    connectTo: [],
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
  expect([0, 2, 10, 50, 150, 500, 9_999].map(latencyClass)).toEqual([
    ...[2, 10, 50, 150, 500].map((end) => `under ${end} ms`),
    '500 ms or more',
    '500 ms or more',
  ]);
});
