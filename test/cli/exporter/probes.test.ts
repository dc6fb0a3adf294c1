import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PKCS8 } from '../../support/application.js';
import { startGate } from '../../support/fake-fronts.js';
import { parsePrometheus } from '../../support/prometheus-text.js';
import { TOKEN } from '../../support/service-server.js';
import { ADDRESS, createWorld, link, type World } from '../../support/verifiable-link.js';
import { worldFlags } from '../../support/world-flags.js';
import { startExporter, until } from './start-exporter.js';

/** The flags for links of these names, all to the world's endpoint. */
async function flagsFor(world: World, ...names: readonly string[]): Promise<string[]> {
  const file = join(world.folder, 'targets.jsonl');
  const { accessDigest: _, ...one } = link();
  await writeFile(file, names.map((name) => `${JSON.stringify({ ...one, name })}\n`).join(''));
  return ['--targets', file, ...worldFlags(world)];
}

function sampleOf(text: string, metric: string, labels: Record<string, string> = {}) {
  const wanted = Object.entries(labels);
  return parsePrometheus(text).find(
    (sample) =>
      sample.metric === `secure_connectivity_${metric}` &&
      wanted.every(([name, value]) => sample.labels[name] === value),
  )?.value;
}

test('a probe of a sound link gives the metrics of a report, and only of that link', async () => {
  const world = await createWorld();
  const exporter = await startExporter(await flagsFor(world, 'api', 'net/api two'));
  const { status, type, text } = await exporter.get('/probe?link=net%2Fapi+two');
  expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  expect(sampleOf(text, 'link_reachable', { link: 'net/api two', via: 'service-endpoint' })).toBe(
    1,
  );
  expect(sampleOf(text, 'check_exit_status')).toBe(0);
  const names = parsePrometheus(text).flatMap(({ labels }) => labels.link ?? []);
  expect(new Set(names)).toEqual(new Set(['net/api two']));
  expect(JSON.parse((await exporter.get('/targets')).text)).toEqual([
    { targets: ['api', 'net/api two'] },
  ]);
});

test('a link that fails is an answer all the same, with stage and code, and is logged once', async () => {
  const world = await createWorld();
  await world.connectTo({ [ADDRESS]: world.refusingPort });
  const exporter = await startExporter(await flagsFor(world, 'api'));
  const first = await exporter.get('/probe?link=api');
  expect(first.status).toBe(200);
  expect(sampleOf(first.text, 'link_reachable')).toBe(0);
  expect(sampleOf(first.text, 'stage_ok', { stage: 'dns' })).toBe(1);
  expect(sampleOf(first.text, 'stage_ok', { stage: 'tcp', address: ADDRESS })).toBe(0);
  expect(sampleOf(first.text, 'stage_code', { stage: 'tcp', code: 'tcp.refused' })).toBe(1);
  await exporter.get('/probe?link=api');
  await world.connectTo({ [ADDRESS]: world.service.port });
  expect(sampleOf((await exporter.get('/probe?link=api')).text, 'link_reachable')).toBe(1);
  exporter.kill('SIGTERM');
  const { stderr } = await exporter.ended;
  expect(stderr.match(/^exporter: api: .*$/gm)).toEqual([
    `exporter: api: unreachable, tcp ${ADDRESS} tcp.refused`,
    'exporter: api: reachable',
  ]);
});

test('probes of one link at the same time share one check, and give the same answer', async () => {
  const world = await createWorld();
  const gate = await startGate(world.service.port);
  await world.connectTo({ [ADDRESS]: gate.port });
  const exporter = await startExporter(await flagsFor(world, 'api'));
  const probes = Array.from({ length: 5 }, () => exporter.get('/probe?link=api'));
  await until(async () => (await exporter.own('exporter_probes_waiting')) === 5);
  expect(await exporter.own('exporter_checks_running')).toBe(1);
  gate.open();
  const texts = (await Promise.all(probes)).map(({ text }) => text);
  expect(new Set(texts).size).toBe(1);
  expect(gate.accepted).toBe(1);
  expect(await exporter.own('exporter_checks_total')).toBe(1);
  expect(await exporter.own('exporter_probes_total{status="200"}')).toBe(5);
});

test('no more links are checked at the same time than allowed', async () => {
  const world = await createWorld();
  const gate = await startGate(world.service.port);
  await world.connectTo({ [ADDRESS]: gate.port });
  const flags = [...(await flagsFor(world, 'a', 'b', 'c')), '--concurrency', '1'];
  const exporter = await startExporter(flags);
  const probes = ['a', 'b', 'c'].map((name) => exporter.get(`/probe?link=${name}`));
  await until(async () => (await exporter.own('exporter_probes_waiting')) === 3);
  await until(async () => gate.accepted === 1);
  expect(await exporter.own('exporter_checks_running')).toBe(1);
  gate.open();
  expect((await Promise.all(probes)).map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('a probe whose turn does not come in time does not blame the link', async () => {
  const world = await createWorld();
  const gate = await startGate(world.service.port);
  await world.connectTo({ [ADDRESS]: gate.port });
  const flags = [...(await flagsFor(world, 'a', 'b')), '--concurrency', '1'];
  const exporter = await startExporter(flags);
  const first = exporter.get('/probe?link=a');
  await until(async () => gate.accepted === 1);
  const headers = { 'X-Prometheus-Scrape-Timeout-Seconds': '1' };
  expect(await exporter.get('/probe?link=b', headers)).toMatchObject({
    status: 503,
    text: 'no result within 1000 ms\n',
  });
  expect(await exporter.own('exporter_probes_total{status="503"}')).toBe(1);
  gate.open();
  expect((await first).status).toBe(200);
  expect((await exporter.get('/probe?link=b')).status).toBe(200);
});

test('the key is read again at each check, so that a new one is used without a restart', async () => {
  const world = await createWorld();
  const exporter = await startExporter(await flagsFor(world, 'api'));
  const file = world.options.credentials?.privateKeyFile ?? '';
  await writeFile(file, 'half of a k');
  const broken = await exporter.get('/probe?link=api');
  expect(sampleOf(broken.text, 'stage_ok', { stage: 'preflight' })).toBe(0);
  expect(sampleOf(broken.text, 'link_reachable')).toBe(0);
  await writeFile(file, PKCS8);
  expect(sampleOf((await exporter.get('/probe?link=api')).text, 'link_reachable')).toBe(1);
});

test('a caller that leaves ends the check that nobody else waits for', async () => {
  const world = await createWorld();
  const gate = await startGate(world.service.port);
  await world.connectTo({ [ADDRESS]: gate.port });
  const exporter = await startExporter(await flagsFor(world, 'api'));
  const left = new AbortController();
  const asked = fetch(`${exporter.url}/probe?link=api`, { signal: left.signal }).catch(
    () => 'left',
  );
  await until(async () => gate.accepted === 1);
  left.abort();
  expect(await asked).toBe('left');
  await until(async () => (await exporter.own('exporter_checks_running')) === 0);
  gate.open();
  expect((await exporter.get('/probe?link=api')).status).toBe(200);
  exporter.kill('SIGTERM');
  expect((await exporter.ended).exit).toBe(0);
});

test('a token is asked for once while it lives, and again where the service takes it back', async () => {
  const world = await createWorld();
  const exporter = await startExporter(await flagsFor(world, 'api'));
  const calls = () => world.service.requests.filter(({ path }) => path.endsWith('/token')).length;
  const first = await exporter.get('/probe?link=api');
  expect([sampleOf(first.text, 'stage_ok', { stage: 'token' }), calls()]).toEqual([1, 1]);
  const second = await exporter.get('/probe?link=api');
  // Nothing was seen of the token call, and nothing is said of it.
  expect([sampleOf(second.text, 'stage_ok', { stage: 'token' }), calls()]).toEqual([undefined, 1]);
  expect(sampleOf(second.text, 'stage_ok', { stage: 'workspaces' })).toBe(1);
  expect(sampleOf(second.text, 'link_reachable')).toBe(1);
  let isTakenBack = true;
  world.service.handler = ({ path, headers }) => {
    if (path.endsWith('/token')) isTakenBack = false;
    return isTakenBack && headers.authorization === `Bearer ${TOKEN}`
      ? { status: 401, headers: { 'x-tt-logid': 'log' }, body: { code: 4100, msg: 'invalid' } }
      : undefined;
  };
  const third = await exporter.get('/probe?link=api');
  expect([sampleOf(third.text, 'stage_ok', { stage: 'token' }), calls()]).toEqual([1, 2]);
  expect(sampleOf(third.text, 'link_reachable')).toBe(1);
});

test('a silent service is reported before the scrape timeout is over', async () => {
  const world = await createWorld();
  world.service.handler = () => 'silent';
  const exporter = await startExporter(await flagsFor(world, 'api'));
  const headers = { 'X-Prometheus-Scrape-Timeout-Seconds': '8' };
  const { status, text } = await exporter.get('/probe?link=api', headers);
  expect([status, sampleOf(text, 'link_reachable')]).toEqual([200, 0]);
  expect(sampleOf(text, 'stage_ok', { stage: 'tcp' })).toBe(1);
  expect(sampleOf(text, 'stage_code', { stage: 'http', code: 'http.timeout' })).toBe(1);
  expect(sampleOf(text, 'link_duration_seconds')).toBeLessThan(8);
});

test('neither answers nor the log hold key, token or JWT', async () => {
  const world = await createWorld();
  const exporter = await startExporter(await flagsFor(world, 'api'));
  const answers = await Promise.all([
    exporter.get('/probe?link=api'),
    exporter.get(`/probe?link=${TOKEN}`),
    exporter.get(`/${TOKEN}`),
    exporter.get('/metrics'),
  ]);
  exporter.kill('SIGTERM');
  const { stdout, stderr } = await exporter.ended;
  const all = [stdout, stderr, ...answers.map(({ text }) => text)].join('\n');
  const jwts = world.service.requests.flatMap(({ headers }) => headers.authorization ?? []);
  expect(jwts.length).toBeGreaterThan(0);
  for (const secret of [...jwts.map((text) => text.replace('Bearer ', '')), PKCS8.slice(40, 80)]) {
    expect(all).not.toContain(secret);
  }
  expect(await readFile(world.options.credentials?.privateKeyFile ?? '', 'utf8')).toBe(PKCS8);
});
