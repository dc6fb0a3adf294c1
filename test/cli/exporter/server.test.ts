import { writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { API_HOST, ENDPOINT_HOST } from '../../support/application.js';
import { startGate } from '../../support/fake-fronts.js';
import { parsePrometheus } from '../../support/prometheus-text.js';
import { runHere } from '../../support/run-here.js';
import { listen } from '../../support/service-server.js';
import { ADDRESS, createWorld, link, type World } from '../../support/verifiable-link.js';
import { worldFlags } from '../../support/world-flags.js';
import { startExporter, until } from './start-exporter.js';

const BY_HAND = [
  ...['--base-url', `https://${ENDPOINT_HOST}`, '--via', 'service-endpoint'],
  ...['--api-host', API_HOST, '--expect-address', ADDRESS],
];

function flagsOf(world: World): string[] {
  return [...BY_HAND, ...worldFlags(world)];
}

test('requests that cannot be answered get a status and one line, and no packet is sent', async () => {
  const world = await createWorld();
  const exporter = await startExporter(flagsOf(world));
  const scrape = (text: string) => ({ 'X-Prometheus-Scrape-Timeout-Seconds': text });
  const cases = [
    ['/probe?link=api', 404, /^no link has the name "api"/],
    ['/probe', 400, /^`link` must be given once/],
    ['/probe?link=', 400, /^`link` must be given once/],
    ['/probe?link=link&link=link', 400, /^`link` must be given once/],
    ['/probe?link=link?', 404, /^no link has the name "link\?"/],
    ['/probe?link=link&module=x', 400, /^the only parameter is `link`, got: "module"/],
    ['/', 404, /probe\?link=NAME/],
    ['//', 404, /probe\?link=NAME/],
    ['/metrics/x', 404, /probe\?link=NAME/],
  ] as const;
  for (const [path, status, line] of cases) {
    const got = await exporter.get(path);
    expect([got.status, got.text.match(/\n/g)?.length], path).toEqual([status, 1]);
    expect(got.text).toMatch(line);
  }
  for (const text of ['0', '-1', 'soon', 'Infinity', '']) {
    const got = await exporter.get('/probe?link=link', scrape(text));
    expect([got.status, got.text.includes(`got: "${text}"`)]).toEqual([400, true]);
  }
  expect((await exporter.get('/probe?link=link', {}, 'POST')).status).toBe(405);
  expect(world.asked).toEqual([]);
});

test('on loopback a foreign host and every origin are refused: a page in a browser gets nothing', async () => {
  const exporter = await startExporter(flagsOf(await createWorld()));
  const foreign: readonly Record<string, string>[] = [
    { host: 'rebound.example' },
    { host: '127.0.0.1.example:9464' },
    { origin: 'https://page.example' },
  ];
  for (const headers of foreign) {
    const got = await exporter.get('/metrics', headers);
    expect([got.status, got.text.split('\n').length]).toEqual([403, 2]);
  }
  expect((await exporter.get('/metrics', { host: 'localhost:9464' })).status).toBe(200);
});

test('its own metrics count links, checks and probes in the text format', async () => {
  const exporter = await startExporter(flagsOf(await createWorld()));
  await exporter.get('/probe?link=link');
  await exporter.get('/probe?link=other');
  const { type, text } = await exporter.get('/metrics');
  expect(type).toBe('text/plain; version=0.0.4; charset=utf-8');
  const samples = parsePrometheus(text).map(({ metric, labels, value }) => [
    metric.replace('secure_connectivity_exporter_', ''),
    labels.status ?? '',
    value,
  ]);
  expect(samples).toEqual(
    expect.arrayContaining([
      ['links', '', 1],
      ['checks_total', '', 1],
      ['probes_total', '200', 1],
      ['probes_total', '404', 1],
      ['probes_waiting', '', 0],
    ]),
  );
  expect(await exporter.get('/-/healthy')).toMatchObject({ status: 200, text: 'healthy\n' });
});

test.each([
  'SIGTERM',
  'SIGINT',
] as const)('%s ends listening, lets the running probe end, and exits with 0', async (signal) => {
  const world = await createWorld();
  const gate = await startGate(world.service.port);
  await world.connectTo({ [ADDRESS]: gate.port });
  const exporter = await startExporter(flagsOf(world));
  const { port } = new URL(exporter.url);
  const idle = connect(Number(port), '127.0.0.1');
  idle.on('error', () => undefined);
  const probe = exporter.get('/probe?link=link');
  await until(async () => gate.accepted === 1);
  exporter.kill(signal);
  await until(() => refuses(Number(port)));
  gate.open();
  const { status, text } = await probe;
  expect(status).toBe(200);
  expect(text).toMatch(/link_reachable\{.*\} 1\n/);
  expect((await exporter.ended).exit).toBe(0);
});

test('who asks twice on one connection and leaves before the first answer does not keep it from ending', async () => {
  const world = await createWorld();
  const gate = await startGate(world.service.port);
  await world.connectTo({ [ADDRESS]: gate.port });
  const exporter = await startExporter(flagsOf(world));
  const caller = connect(Number(new URL(exporter.url).port), '127.0.0.1');
  const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
  caller.write(ask('/probe?link=link') + ask('/-/healthy').repeat(20));
  await until(async () => gate.accepted === 1);
  caller.destroy();
  await until(async () => (await exporter.own('exporter_probes_waiting')) === 0);
  exporter.kill('SIGTERM');
  const { exit, stderr } = await exporter.ended;
  expect([exit, stderr.includes('Warning')]).toEqual([0, false]);
});

function refuses(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });
}

describe('what cannot be used ends it before it listens, with one line and exit 2', () => {
  const run = async (...args: readonly string[]) => {
    const { exit, stderr } = await runHere(['exporter', ...args]);
    expect(exit).toBe(2);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    return stderr;
  };

  test('a port in use', async () => {
    const world = await createWorld();
    const port = await listen(createServer());
    expect(await run('--listen', `127.0.0.1:${port}`, ...flagsOf(world))).toContain(
      `\`--listen\` must be an address of this machine with a free port, got: 127.0.0.1:${port} (EADDRINUSE)`,
    );
  });

  test.each([
    'localhost:9464',
    '9464',
    '127.0.0.1',
    '127.0.0.1:65536',
    '::1:9464',
    '[127.0.0.1]:1',
    '127.0.0.1:09464',
  ])('--listen %s', async (text) => {
    expect(await run('--listen', text, ...BY_HAND)).toContain(
      'It must be an IP address and a port',
    );
  });

  test('no source of links, two of them, and one name twice', async () => {
    const world = await createWorld();
    const file = join(world.folder, 'targets.jsonl');
    const { accessDigest: _, ...one } = link();
    await writeFile(file, `${JSON.stringify(one)}\n${JSON.stringify(one)}\n`);
    expect(await run()).toContain('exactly one of `--outputs-file`');
    expect(await run('--targets', file, ...BY_HAND)).toContain('must be the only source');
    expect(await run('--targets', file, ...worldFlags(world))).toContain('got: "api" twice');
  });

  test('credentials that all links share, and a key that could be read once only', async () => {
    const world = await createWorld();
    expect(await run(...BY_HAND)).toContain('credentials.missing');
    const flags = [...flagsOf(world), '--private-key-file', '-'];
    expect(await run(...flags)).toContain('`--private-key-file` must name a file');
  });
});

test('under scraping without pauses it ends all the same: each answer closes, and no probe is begun', async () => {
  const world = await createWorld();
  const gate = await startGate(world.service.port);
  await world.connectTo({ [ADDRESS]: gate.port });
  const file = join(world.folder, 'targets.jsonl');
  const lines = ['link', 'other'].map((name) => {
    const { accessDigest: _, ...one } = link({ name });
    return `${JSON.stringify(one)}\n`;
  });
  await writeFile(file, lines.join(''));
  const one = ['--targets', file, '--concurrency', '1'];
  const exporter = await startExporter([...one, ...worldFlags(world)]);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const running = exporter.get('/probe?link=link');
  await until(async () => gate.accepted === 1);
  const statuses: number[] = [];
  const failures: string[] = [];
  const scraping = (async () => {
    while (failures.at(-1) !== 'ECONNREFUSED' && failures.length < 2) {
      const seen = await getWith(agent, `${exporter.url}/-/healthy`).catch(({ code }) => code);
      if (typeof seen === 'string') {
        failures.push(seen);
        continue;
      }
      expect(failures).toEqual([]);
      statuses.push(seen.status);
      if (seen.status === 503) expect(seen.connection).toBe('close');
    }
  })();
  const waiting = exporter.get('/probe?link=other');
  await until(async () => (await exporter.own('exporter_probes_waiting')) === 2);
  await until(async () => statuses.length > 2);
  exporter.kill('SIGTERM');
  expect(await waiting).toMatchObject({ status: 503, text: 'the exporter is stopping\n' });
  gate.open();
  expect((await running).status).toBe(200);
  expect((await exporter.ended).exit).toBe(0);
  // No connection that the exporter took ends without an answer. One that still waited in the
  // kernel's queue as the listener closed is reset, and the next is refused.
  await scraping;
  expect(failures.at(-1)).toBe('ECONNREFUSED');
  if (failures.length > 1) expect(failures[0]).toBe('ECONNRESET');
  expect(statuses).toContain(503);
});

function getWith(agent: Agent, url: string): Promise<{ status: number; connection: string }> {
  return new Promise((resolve, reject) => {
    const call = request(url, { agent }, (response) => {
      response.resume().once('end', () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, connection: headers.connection ?? '' });
      });
    });
    call.on('error', reject).end();
  });
}

test('a link that an exporter could not see for want of processor time is not called unreachable', async () => {
  const world = await createWorld();
  const gate = await startGate(world.service.port);
  await world.connectTo({ [ADDRESS]: gate.port });
  const exporter = await startExporter(flagsOf(world));
  const headers = { 'x-prometheus-scrape-timeout-seconds': '2' };
  const probe = exporter.get('/probe?link=link', headers);
  await until(async () => gate.accepted === 1);
  exporter.kill('SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  exporter.kill('SIGCONT');
  const { text, status } = await probe;
  expect(status).toBe(200);
  expect(text).toMatch(/link_not_seen\{link="link",code="run.machine-paused"\} 1\n/);
  expect(text).not.toContain('link_reachable');
});
