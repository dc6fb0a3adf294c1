import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FORMAT_NAMES } from '../../../src/cli/verify/flags/row.js';
import { encodeLinks } from '../../../src/link/link.js';
import { connectionRecordSchema } from '../../../src/verify/model/results.js';
import { verificationDocument } from '../../../src/verify/reports/document.js';
import { jsonLinesReport, jsonReport } from '../../../src/verify/reports/json.js';
import { prometheusReport } from '../../../src/verify/reports/prometheus.js';
import { readVerification } from '../../../src/verify/reports/read-verification.js';
import { verificationSuites } from '../../../src/verify/reports/suites.js';
import { temporaryFolder } from '../../support/cleanup.js';
import { parsePrometheus } from '../../support/prometheus-text.js';
import { runHere } from '../../support/run-here.js';
import { CONNECTED, GOOD_LINK, REJECTED, withConnections } from './samples.js';

const ONLY = withConnections([], CONNECTED, REJECTED);
const BESIDE = withConnections([GOOD_LINK], CONNECTED, REJECTED);
const CONNECTED_ONLY = withConnections([], CONNECTED);

test('every format of the program tells a rejected connection, and none calls one passed', async () => {
  const folder = await temporaryFolder();
  const { code: _, asOf: __, ...rejected } = REJECTED;
  const outputs = encodeLinks({ rulesDigest: 'd', links: [], connections: [rejected] });
  const file = join(folder, 'outputs.json');
  await writeFile(file, JSON.stringify({ plugin: { connections: outputs } }));
  const files = FORMAT_NAMES.map((name) => join(folder, `report.${name}`));
  const formats = FORMAT_NAMES.flatMap((name, i) => ['--format', `${name}=${files[i]}`]);
  const { exit, stderr } = await runHere(['verify', '--outputs-file', file, ...formats]);
  expect({ exit, stderr }).toEqual({ exit: 18, stderr: '' });
  for (const one of files) {
    const report = await readFile(one, 'utf8');
    expect([one, report.includes('ep-2')]).toEqual([one, true]);
    // The look of the page has words for what passed.
    if (!one.endsWith('.html')) expect(report).not.toMatch(/passed|"reachable"|0 of 0/);
  }
});

test('what is not connected comes first, with what to do, and nothing calls the other passed', () => {
  const { headline, tone, sections } = verificationDocument(BESIDE, true);
  expect([headline, tone]).toEqual([
    'reachable in 10.3 s, exit 18: order-lookup: Rejected at deploy time',
    'failed',
  ]);
  const subjects = sections.flatMap(({ title, tone, about = '' }) =>
    tone === undefined ? [] : [`${tone} ${title} ${about.split(' ').at(-5)}`],
  );
  expect(subjects).toMatchObject([
    'failed order-lookup ep-2',
    expect.stringMatching(/^passed api /),
    'skipped order-lookup ep-1',
  ]);
  expect(sections[0]?.problems).toMatchObject([
    { code: 'connection.lost', cause: 'Rejected at deploy time (not re-checked)' },
  ]);
  const only = verificationDocument(CONNECTED_ONLY, true);
  expect([only.tone, only.headline]).toEqual(['skipped', 'no link checked in 10.3 s']);
  const [suite] = verificationSuites(ONLY);
  expect(suite?.cases.map(({ name, outcome, text }) => [name, outcome, text()])).toEqual([
    ['connection ep-1', 'skipped', 'Connected at deploy time (not re-checked)'],
    [
      'connection ep-2',
      'failure',
      expect.stringMatching(/^Rejected at [\s\S]*remedy: Check the id/),
    ],
  ]);
});

test('Prometheus has a sample for each connection', () => {
  const values = parsePrometheus(prometheusReport(ONLY))
    .filter(({ metric }) => metric === 'secure_connectivity_connection_connected_at_deploy')
    .map(({ labels, value }) => [labels, value]);
  expect(values).toEqual([
    [{ connection: 'order-lookup', service: 'epsvc-1', endpoint: 'ep-1' }, 1],
    [{ connection: 'order-lookup', service: 'epsvc-1', endpoint: 'ep-2' }, 0],
  ]);
  const twice = withConnections([], CONNECTED, { ...REJECTED, endpointId: 'ep-1' });
  const same = parsePrometheus(prometheusReport(twice));
  expect(
    same.filter(({ metric }) => metric.includes('connected')).map(({ value }) => value),
  ).toEqual([0]);
});

test('JSON lines keep connections, and reports of several parts have them all', () => {
  const lines = jsonLinesReport(BESIDE).trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  const record = JSON.parse(lines[2] ?? '');
  expect(connectionRecordSchema.parse(record)).toEqual(record);
  expect(record).toMatchObject({ schema: 'secure-connectivity/connection@1', ...REJECTED });
  const whole = readVerification([
    { source: 'lines', text: lines.join('\n') },
    { source: 'json', text: jsonReport(CONNECTED_ONLY) },
  ]);
  expect(whole.connections).toEqual([CONNECTED, REJECTED, CONNECTED]);
  const only = readVerification([{ source: 'lines', text: jsonLinesReport(ONLY) }]);
  expect([only.links, only.connections]).toEqual([[], [CONNECTED, REJECTED]]);
});
