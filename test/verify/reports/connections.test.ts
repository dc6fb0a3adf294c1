import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FORMAT_NAMES } from '../../../src/cli/verify/output/write-reports.js';
import { encodeLinks } from '../../../src/link/link.js';
import { connectionRecordSchema } from '../../../src/verify/model/results.js';
import { githubReport } from '../../../src/verify/reports/github.js';
import { htmlReport } from '../../../src/verify/reports/html/page.js';
import { jsonLinesReport, jsonReport } from '../../../src/verify/reports/json.js';
import { junitReport } from '../../../src/verify/reports/junit.js';
import { markdownReport } from '../../../src/verify/reports/markdown.js';
import { prometheusReport } from '../../../src/verify/reports/prometheus.js';
import { readVerification } from '../../../src/verify/reports/read-verification.js';
import { temporaryFolder } from '../../support/cleanup.js';
import { parsePrometheus } from '../../support/prometheus-text.js';
import { runHere } from '../../support/run-here.js';
import { allNamed, parseXml } from '../../support/xml.js';
import { CONNECTED, GOOD_LINK, HOSTILE, REJECTED, withConnections } from './samples.js';

const ONLY = withConnections([], CONNECTED, REJECTED);
const BESIDE = withConnections([GOOD_LINK], CONNECTED, REJECTED);
const CONNECTED_ONLY = withConnections([], CONNECTED);
const HOSTILE_ONLY = withConnections([], {
  ...REJECTED,
  name: HOSTILE,
  endpointId: HOSTILE,
  status: HOSTILE,
});

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

test('JUnit has a case for each connection: failed where it is not connected, else skipped', () => {
  const root = parseXml(junitReport(ONLY));
  expect(root.attributes).toMatchObject({ tests: '2', failures: '1', errors: '0' });
  const [suite] = allNamed(root, 'testsuite');
  expect(suite?.attributes).toMatchObject({ tests: '2', failures: '1', skipped: '1' });
  const [connected, rejected] = allNamed(root, 'testcase');
  expect(connected?.attributes).toMatchObject({
    classname: 'order-lookup',
    name: 'connection ep-1',
  });
  expect(connected?.children[0]).toMatchObject({
    name: 'skipped',
    attributes: { message: 'Connected at deploy time (not re-checked)' },
  });
  expect(rejected?.children[0]).toMatchObject({
    name: 'failure',
    attributes: {
      type: 'connection.lost',
      message: 'The private connection is refused or has failed',
    },
    text: expect.stringMatching(/^Rejected at deploy time[\s\S]*remedy: /),
  });
  expect(allNamed(parseXml(junitReport(BESIDE)), 'testsuite')).toHaveLength(2);
  expect(allNamed(parseXml(junitReport(HOSTILE_ONLY)), 'failure')).toHaveLength(1);
});

test('GitHub gets an error for a connection that is not connected, and nothing for one that is', () => {
  // GitHub ignores commands before the last token.
  const obeyed = (log: string) => log.split(/^::[0-9a-f]{64}::$/m).at(-1) ?? '';
  const errors = (log: string) =>
    obeyed(log)
      .split('\n')
      .filter((line) => line.startsWith('::error'));
  expect(errors(githubReport(BESIDE))).toEqual([
    expect.stringMatching(
      /^::error title=order-lookup%3A connection\.lost%3A The private connection is refused or has failed::Rejected at deploy time/,
    ),
  ]);
  expect(githubReport(CONNECTED_ONLY)).not.toMatch(/^::(error|warning)/m);
  expect(errors(githubReport(HOSTILE_ONLY))).toHaveLength(1);
});

test('Markdown leads with the connection that is not connected', () => {
  const lines = markdownReport(BESIDE).split('\n');
  expect(lines[0]).toBe(
    '## ❌ Connectivity: reachable, but 1 of 2 plugin connections not connected at deploy time',
  );
  expect(lines.filter((line) => line.startsWith('### '))).toEqual([
    '### ❌ order-lookup (Rejected at deploy time)',
    '### ✅ api (reachable)',
    '### ➖ order-lookup (Connected at deploy time)',
  ]);
  const text = lines.join('\n');
  expect(text).toContain(
    '**The private connection is refused or has failed** (<code>connection.lost</code>)',
  );
  expect(text).toContain('Remedy: Check the id of the endpoint service');
  const report = markdownReport(CONNECTED_ONLY);
  expect(report).toMatch(/^## ➖ Connectivity: no link checked\n/);
  expect(report).not.toMatch(/✅|❌|0 of 0/);
  expect(markdownReport(HOSTILE_ONLY).replaceAll(/<\/?code>/g, '')).not.toMatch(/[<>`@]/);
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

test('the page shows connections, and puts the one that is not connected on top', () => {
  const page = htmlReport(BESIDE);
  expect(page).toContain('<header class="failed">');
  expect(page).toMatch(
    /<article class="card failed">[\s\S]*connection\.lost[\s\S]*<details class="link"/,
  );
  expect(page).toContain(
    '1 of 1 link reachable; 1 of 2 plugin connections connected at deploy time',
  );
  const report = htmlReport(CONNECTED_ONLY);
  expect(report).toContain('<header class="skipped">');
  expect(report).toContain('<h1>No link checked</h1>');
  expect(report).toContain('Connected at deploy time (not re-checked)');
  expect(report).not.toContain('aria-label="passed"');
  expect(htmlReport(HOSTILE_ONLY)).not.toMatch(/<img|<\/script/);
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
