import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FORMAT_NAMES } from '../../../src/cli/verify/flags/row.js';
import { encodeLinks } from '../../../src/link/link.js';
import { backendRecordSchema } from '../../../src/verify/model/results.js';
import { verificationDocument } from '../../../src/verify/reports/document.js';
import { jsonLinesReport, jsonReport } from '../../../src/verify/reports/json.js';
import { prometheusReport } from '../../../src/verify/reports/prometheus.js';
import { readVerification } from '../../../src/verify/reports/read-verification.js';
import { verificationSuites } from '../../../src/verify/reports/suites.js';
import { textReport } from '../../../src/verify/reports/text-report.js';
import { temporaryFolder } from '../../support/cleanup.js';
import { parsePrometheus } from '../../support/prometheus-text.js';
import { runHere } from '../../support/run-here.js';
import { GOOD_LINK, HEALTHY, SICK, UNSEEN, withBackends } from './samples.js';

const ALL = withBackends([], HEALTHY, SICK, UNSEEN);
const BESIDE = withBackends([GOOD_LINK], HEALTHY, SICK);
const WELL = withBackends([], HEALTHY);

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

test('a server that is not healthy comes first, and one of which nothing was seen is no pass', () => {
  const { sections } = verificationDocument(BESIDE, true);
  expect(sections.map(({ title, tone }) => [title, tone]).slice(0, 4)).toEqual([
    ['order-lookup', 'failed'],
    ['api', 'passed'],
    ['order-lookup', 'passed'],
    ['Not proved from here', undefined],
  ]);
  expect(sections[0]?.problems).toMatchObject([
    { code: 'backend.unhealthy', cause: 'not healthy: answers GET /health with 503' },
  ]);
  const [suite] = verificationSuites(ALL);
  expect(suite?.cases.map(({ name, outcome }) => [name, outcome])).toEqual([
    [`server ${HEALTHY.server}`, 'passed'],
    [`server ${SICK.server}`, 'failure'],
    [`server ${UNSEEN.server}`, 'skipped'],
  ]);
  expect(suite?.cases[2]?.text()).toContain('not checkable from here');
  const [unseen] = verificationDocument(withBackends([], UNSEEN), true).sections;
  expect(unseen?.tone).toBe('skipped');
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
  const text = textReport(withBackends([GOOD_LINK], HEALTHY, lost));
  expect(text).toMatch(/^reachable in \S+ s, exit 20: order-lookup: not checked\n/);
  expect(text).toContain('not checked: the command ended');
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
