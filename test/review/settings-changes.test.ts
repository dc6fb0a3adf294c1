import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTree } from '../../src/reach/read/read-tree.js';
import type { ReviewReport } from '../../src/review/report-schema.js';
import { textReport } from '../../src/review/reports/document.js';
import { findSetting, settingsFile } from '../../src/review/reports/setting-line.js';
import { exitOf, review } from '../../src/review/review.js';
import { Random } from '../reach/differential/random.js';
import { temporaryFolder } from '../support/cleanup.js';
import { expectOneAnswer } from '../support/one-answer.js';
import { runHere } from '../support/run-here.js';
import { synthesizeAll } from '../support/synthesize-all.js';
import { BASE, CHANGES } from './settings-changes.js';
import { TODAY } from './trees.js';

const ALL = Object.entries({ base: [BASE, 0] as const, ...CHANGES });
const folderOf = (change: string) => change.replaceAll(' ', '-');
const trees = synthesizeAll(
  Object.fromEntries(ALL.map(([change, [settings]]) => [folderOf(change), settings])),
);

const read = (name: string) => readTree(join(trees, folderOf(name)), name);
const base = read('base');
const reports = new Map<string, ReviewReport>();

/** The review of a change, made once. */
function reportOf(change: string): ReviewReport {
  const report = reports.get(change) ?? review(base, read(change), TODAY);
  reports.set(change, report);
  return report;
}

test.each(Object.entries(CHANGES))('%s', (change, [, exit]) => {
  const report = reportOf(change);
  const worst = report.findings.filter(({ decision }) => decision !== 'no-change');
  expect(exitOf(report), JSON.stringify(worst, undefined, 1)).toBe(exit);
  const asked = expectOneAnswer(report, [base, read(change)], new Random(1));
  expect(asked).toBe(ASKED[change] ?? 0);
  for (const finding of report.findings) expect(Object.keys(finding).slice(0, 9)).toEqual(FIELDS);
});

/** The number of packets that reach is asked about, of changes with any that have addresses. */
const ASKED: Readonly<Record<string, number>> = {
  ...{ 'a narrower network': 10, 'a wider network': 10, 'another port': 20, 'plain http': 20 },
  ...{ 'another address': 10, 'another listener port': 20, 'one caller less': 10 },
  'another listener port and account': 20,
};

test('a finding points to a line of the settings that the change wrote, or to the option', () => {
  const linesOf = (settings: object) => JSON.stringify(settings, undefined, 2).split(/,?\n/);
  const old = new Set(linesOf(BASE));
  const found = Object.entries(CHANGES).flatMap(([change, [settings]]) => {
    const file = settingsFile(
      [...base.keys()],
      ['live.json'],
      JSON.stringify(settings, undefined, 2),
    );
    const lines = linesOf(settings);
    return reportOf(change).findings.map((finding) => {
      const { line = 0 } = findSetting(finding, [file]) ?? {};
      const written = lines[line - 1] ?? 'none';
      const isNew = !old.has(written);
      if (!isNew) expect(written, JSON.stringify(finding)).toMatch(/^(?: *"\w+": [[{])?[[{]?$/);
      return isNew ? `${change}: ${written.trim()}` : change;
    });
  });
  const written = found.filter((one) => one.includes(':'));
  expect(written.length).toBeGreaterThan(35);
  expect(written).toEqual(
    expect.arrayContaining([
      'another listener port: "port": 8443',
      'another account: "serviceAccountId": "2100000002"',
      'another address: "address": "36.1.40.7"',
      'one server more: "ip": "10.40.1.7"',
      'another service: "serviceName": "com.volces.privatelink.cn-beijing.epsvc-other"',
    ]),
  );
  const [other] = reportOf('another account').findings;
  expect(
    other && findSetting(other, [settingsFile(['api-access-staging'], [], '{}')]),
  ).toBeUndefined();
});

test('the SARIF of the command names the file and the line, and settings of no stack are refused', async () => {
  const folder = await temporaryFolder();
  const [settings, sarif] = [join(folder, 'live.json'), join(folder, 'report.sarif')];
  writeFileSync(settings, JSON.stringify(CHANGES['another account']?.[0], undefined, 2));
  const tree = (name: string) => join(trees, folderOf(name));
  const args = ['review', '--base', tree('base'), '--head', tree('another account')];
  const { exit } = await runHere([...args, '--settings', settings, '--format', `sarif=${sarif}`]);
  expect(exit).toBe(3);
  const { originalUriBaseIds, results } = JSON.parse(readFileSync(sarif, 'utf8')).runs[0];
  expect(Object.keys(originalUriBaseIds)).toEqual(['HEAD', 'SETTINGS']);
  const { artifactLocation, region } = results[0].locations[0].physicalLocation;
  expect(artifactLocation.uri).toMatch(/\/live\.json$/);
  const line = readFileSync(settings, 'utf8').split('\n')[region.startLine - 1];
  expect(line).toContain('"serviceAccountId": "2100000002"');

  const staging = join(folder, 'staging.json');
  cpSync(settings, staging);
  const refused = await runHere([...args, '--settings', staging]);
  expect(refused).toMatchObject({ exit: 2, stdout: '' });
  expect(refused.stderr).toContain('`--settings` must be the settings of a stack of --head (');
});

const PORT = 'tcp 443 → 8443; calls to the port fail until the new listener is there';

test.each([
  ['another listener port', `orders: ${PORT}`, 9, 0],
  // Other accounts may ask for the new port than for the old one.
  ['another listener port and account', `orders-listener: ${PORT}`, 3, 10],
])('%s is one row for people, and all that it stands for in JSON', (change, row, own, others) => {
  const report = reportOf(change);
  const of = report.findings.filter((finding) => finding.row === row);
  expect([of.length, report.findings.length - of.length]).toEqual([own, others]);
  // What was closed altogether comes first.
  expect(report.summary).toMatch(others === 0 ? `NEEDS APPROVAL: ${row}` : / \(and 6 more\)$/);
  const text = textReport(report).replaceAll(/\s+/g, ' ');
  expect(text.split(row)).toHaveLength(others === 0 ? 3 : 2);
});

test('a private zone that is switched on is told in words, and its new link in one row', () => {
  const { summary, findings } = review(read('no private zone'), base, TODAY);
  const told = findings.filter(({ decision }) => decision === 'needs-approval');
  const endpoint = 'volcenginecc_privatelink_vpc_endpoint.service-endpoint';
  const name = `from now on api.example.com resolves to ${endpoint} in volcenginecc_vpc_vpc.network`;
  expect(summary).toContain(name);
  expect(told.map(({ what, consequence }) => [what, consequence])).toEqual([
    ['the name api.example.com', name],
    ['zone_name', 'the private zone is new'],
    [
      'link service-endpoint-api-host',
      'clients and the check are given a new link: calls go to https://api.example.com, with JWTs for api.example.com',
    ],
  ]);
  expect(told.at(-1)?.after).toBe(
    `base URL: https://api.example.com; API host: api.example.com; addresses that the check accepts: the addresses of ${endpoint}; other settings: privateZone: true`,
  );
  expect(textReport(review(base, read('no private zone'), TODAY))).not.toContain('${');
});

/** Fields of every finding, in the order in which the JSON report has them. */
const FIELDS = [
  ...['kind', 'decision', 'stack', 'resource'],
  ...['who', 'what', 'identity', 'before', 'after'],
];

/** Values of safeguards that are words, by the change after which they are different. */
const WORDS: readonly (readonly [change: string, identity: readonly string[]])[] = [
  ['a check that only reports', ['mode', 'fails the deploy, runs', 'runs']],
  ['a check that only reports', ['mode', 'runs, stops the deploy', 'runs']],
  ['a check after changes only', ['deploys', 'changes, every deploy', 'changes']],
  ['a foreign group', ['place', 'checked', '']],
  [
    'another account',
    [
      'postcondition',
      'a connection that is Rejected, Failed, PartialFailed, ServiceDeleted, Disconnecting, an endpoint that is not of account 2100000001',
      'a connection that is Rejected, Failed, PartialFailed, ServiceDeleted, Disconnecting, an endpoint that is not of account 2100000002',
    ],
  ],
];

// An alert that was accepted is raised again when one of them is worded otherwise.
test.each(WORDS)('%s has the identity %s', (change, identity) => {
  const { findings } = review(base, read(change), TODAY);
  expect(findings.map((finding) => finding.identity)).toContainEqual(identity);
});
