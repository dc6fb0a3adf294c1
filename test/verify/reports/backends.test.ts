import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FORMAT_NAMES } from '../../../src/cli/verify/output/write-reports.js';
import { encodeLinks } from '../../../src/link/link.js';
import { backendRecordSchema } from '../../../src/verify/model/results.js';
import { githubReport } from '../../../src/verify/reports/github.js';
import { htmlReport } from '../../../src/verify/reports/html/page.js';
import { jsonLinesReport, jsonReport } from '../../../src/verify/reports/json.js';
import { junitReport } from '../../../src/verify/reports/junit.js';
import { markdownReport } from '../../../src/verify/reports/markdown.js';
import { prometheusReport } from '../../../src/verify/reports/prometheus.js';
import { readVerification } from '../../../src/verify/reports/read-verification.js';
import { textReport } from '../../../src/verify/reports/text.js';
import { temporaryFolder } from '../../support/cleanup.js';
import { parsePrometheus } from '../../support/prometheus-text.js';
import { runHere } from '../../support/run-here.js';
import { allNamed, parseXml } from '../../support/xml.js';
import { GOOD_LINK, HEALTHY, HOSTILE, SICK, UNSEEN, withBackends } from './samples.js';

const ALL = withBackends([], HEALTHY, SICK, UNSEEN);
const BESIDE = withBackends([GOOD_LINK], HEALTHY, SICK);
const WELL = withBackends([], HEALTHY);
const HOSTILE_ONLY = withBackends([], { ...SICK, name: HOSTILE, server: HOSTILE, seen: HOSTILE });

test('every format of the program tells a server that is not healthy, and why', async () => {
  const backend = createServer((_, response) => response.writeHead(503).end());
  await new Promise<void>((done) => backend.listen(0, '127.0.0.1', done));
  onTestFinished(() => new Promise<void>((done) => backend.close(() => done())));
  const { port } = backend.address() as AddressInfo;
  const folder = await temporaryFolder();
  const plugin = {
    name: 'order-lookup',
    serviceId: 'epsvc-1',
    networks: ['10.40.0.0/16'],
    servers: ['10.40.1.11:8080'],
    healthCheck: { protocol: 'HTTP' as const, path: '/health', timeoutSeconds: 2 },
  };
  const outputs = encodeLinks({ rulesDigest: 'd', links: [], plugins: [plugin] });
  const file = join(folder, 'outputs.json');
  await writeFile(file, JSON.stringify({ plugin: { connections: outputs } }));
  const files = FORMAT_NAMES.map((name) => join(folder, `report.${name}`));
  const formats = FORMAT_NAMES.flatMap((name, i) => ['--format', `${name}=${files[i]}`]);
  const connectTo = ['--connect-to', `10.40.1.11:8080:127.0.0.1:${port}`];
  const args = ['verify', '--outputs-file', file, ...connectTo, ...formats];
  const { exit, stderr } = await runHere(args);
  expect({ exit, stderr }).toEqual({ exit: 18, stderr: '' });
  for (const one of files) {
    const report = await readFile(one, 'utf8');
    expect([one, report.includes('10.40.1.11:8080')]).toEqual([one, true]);
    if (one.endsWith('.prometheus')) continue;
    expect([one, report.includes('backend.unhealthy')]).toEqual([one, true]);
    expect([one, report.includes('answers GET /health with 503')]).toEqual([one, true]);
  }
});

test('JUnit has a case for each server: passed, failed, or skipped where nothing was seen', () => {
  const root = parseXml(junitReport(ALL));
  expect(root.attributes).toMatchObject({ tests: '3', failures: '1', errors: '0' });
  const cases = allNamed(root, 'testcase');
  expect(cases.map(({ attributes }) => [attributes.classname, attributes.name])).toEqual(
    [HEALTHY, SICK, UNSEEN].map(({ server }) => ['order-lookup', `server ${server}`]),
  );
  const [healthy, sick, unseen] = cases;
  expect(healthy?.children.filter(({ name }) => /failure|skipped|error/.test(name))).toEqual([]);
  expect(sick?.children[0]).toMatchObject({
    name: 'failure',
    attributes: { type: 'backend.unhealthy' },
    text: expect.stringMatching(/^not healthy: answers GET \/health with 503[\s\S]*remedy: /),
  });
  expect(unseen?.children[0]).toMatchObject({
    name: 'skipped',
    attributes: { message: expect.stringContaining('not checkable from here') },
  });
  expect(allNamed(parseXml(junitReport(HOSTILE_ONLY)), 'failure')).toHaveLength(1);
});

test('GitHub gets an error for a server that is not healthy, and nothing for others', () => {
  // GitHub ignores commands before the last token.
  const obeyed = (log: string) => log.split(/^::[0-9a-f]{64}::$/m).at(-1) ?? '';
  const errors = (log: string) =>
    obeyed(log)
      .split('\n')
      .filter((line) => line.startsWith('::error'));
  expect(errors(githubReport(ALL))).toEqual([
    expect.stringMatching(
      /^::error title=order-lookup%3A backend\.unhealthy%3A .*::not healthy: answers GET \/health with 503/,
    ),
  ]);
  expect(errors(githubReport(WELL))).toEqual([]);
  expect(errors(githubReport(HOSTILE_ONLY))).toHaveLength(1);
});

test('Markdown leads with the server that is not healthy, and says what no check proves', () => {
  const text = markdownReport(BESIDE);
  const lines = text.split('\n');
  expect(lines[0]).toBe('## ❌ Connectivity: reachable, but 1 of 2 plugin servers not healthy');
  expect(lines.filter((line) => line.startsWith('### '))).toEqual([
    '### ❌ order-lookup (not healthy)',
    '### ✅ api (reachable)',
    '### ✅ order-lookup (healthy)',
  ]);
  expect(text).toContain('backend.unhealthy');
  expect(text.replaceAll('&#39;', "'")).toContain('the service');
  expect(markdownReport(withBackends([], UNSEEN))).not.toMatch(/✅|❌/);
  expect(markdownReport(HOSTILE_ONLY).replaceAll(/<\/?code>/g, '')).not.toMatch(/[<>`@]/);
});

test('text names the server, its answer and the remedy', () => {
  const text = textReport(ALL).replaceAll(/\s+/g, ' ');
  expect(text).toContain('server 10.40.1.10:8080 of epsvc-1');
  expect(text).toContain('healthy: answers GET /health with 200 (connect-to 127.0.0.1:8080)');
  expect(text).toMatch(/not healthy: answers GET \/health with 503 backend\.unhealthy: .* remedy /);
  expect(text).toContain('not checked: not checkable from here');
});

test('Prometheus has a sample for each server of which something was seen', () => {
  const samples = parsePrometheus(prometheusReport(ALL))
    .filter(({ metric }) => metric === 'secure_connectivity_plugin_server_healthy')
    .map(({ labels, value }) => [labels.server, value]);
  expect(samples).toEqual([
    [HEALTHY.server, 1],
    [SICK.server, 0],
  ]);
});

test('a server that no check got to is not called unhealthy', () => {
  const { connectedTo: _, ...missed } = SICK;
  const lost = { ...missed, code: 'run.vantage-point', seen: 'the command ended' };
  const [title = ''] = markdownReport(withBackends([GOOD_LINK], HEALTHY, lost)).split('\n');
  expect(title).toBe('## ❌ Connectivity: reachable, but 1 of 2 plugin servers not checked');
  expect(textReport(withBackends([], lost))).toContain('not checked: the command ended');
});

test('the page shows servers, and puts the one that is not healthy on top', () => {
  const page = htmlReport(BESIDE);
  expect(page).toContain('<header class="failed">');
  expect(page).toMatch(
    /<article class="card failed">[\s\S]*backend\.unhealthy[\s\S]*<details class="link"/,
  );
  expect(page).toContain('1 of 1 link reachable; 1 of 2 plugin servers seen healthy');
  expect(page).toContain('<p class="note">Only a call from the service');
  expect(htmlReport(HOSTILE_ONLY)).not.toMatch(/<img|<\/script/);
});

test('JSON lines keep servers, and reports of several parts have them all', () => {
  const lines = jsonLinesReport(BESIDE).trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  const record = JSON.parse(lines[2] ?? '');
  expect(backendRecordSchema.parse(record)).toEqual(record);
  expect(record).toMatchObject({ schema: 'secure-connectivity/backend@1', ...SICK });
  const whole = readVerification([
    { source: 'lines', text: lines.join('\n') },
    { source: 'json', text: jsonReport(WELL) },
  ]);
  expect(whole.backends).toEqual([HEALTHY, SICK, HEALTHY]);
  const only = readVerification([{ source: 'lines', text: jsonLinesReport(ALL) }]);
  expect([only.links, only.backends]).toEqual([[], [HEALTHY, SICK, UNSEEN]]);
});
