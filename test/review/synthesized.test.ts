import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inertMarkdown } from '../../src/files/markdown.js';
import { readTree, type SynthesizedTree } from '../../src/reach/read/read-tree.js';
import { reviewReportSchema } from '../../src/review/report-schema.js';
import {
  junitReport,
  markdownReport,
  sarifReport,
  textReport,
} from '../../src/review/reports/document.js';
import { findingSections, makeSections } from '../../src/review/reports/sections.js';
import { exitOf, review } from '../../src/review/review.js';
import { synthesizeAll } from '../support/synthesize-all.js';
import { allNamed, parseXml } from '../support/xml.js';
import { TODAY } from './trees.js';

const list = (version: string, ...last: number[]) => ({
  version,
  entries: [...Array.from({ length: 20 }, (_, i) => i), ...last].map((i) => ({
    address: `36.1.${i}.7`,
    firstSeen: '2030-01-01',
    source: 'mail of the vendor',
  })),
});

const SETTINGS = {
  region: 'cn-beijing',
  apiHost: 'api.example.com',
  tags: { ticket: 'NET-7' },
  network: { name: 'agents', cidr: '10.20.0.0/16', subnets: { 'cn-beijing-a': '10.20.1.0/24' } },
  serviceEndpoint: {
    name: 'agent-service',
    serviceName: 'com.example.epsvc-1',
    scheme: 'https',
    allowedNetworks: ['10.20.0.0/23'],
  },
  fixedIpEgress: {
    name: 'fixed',
    baseUrl: 'https://static-api.example.com',
    addresses: list('2030-01-01', 30),
    prefixList: { vpcId: 'vpc-1' },
  },
  pluginEndpointService: {
    name: 'orders',
    backend: 'orders',
    serviceAccountId: '2100000001',
    payer: 'Endpoint',
    acceptedEndpointIds: ['ep-1'],
    loadBalancer: { loadBalancerId: 'clb-1', port: 443 },
  },
};

const { acceptedEndpointIds: _, ...withoutConnections } = SETTINGS.pluginEndpointService;

/** The settings after a change, by what the change is. */
const CHANGES = {
  same: SETTINGS,
  split: {
    ...SETTINGS,
    serviceEndpoint: {
      ...SETTINGS.serviceEndpoint,
      allowedNetworks: ['10.20.1.0/24', '10.20.0.0/24'],
    },
  },
  addressList: {
    ...SETTINGS,
    fixedIpEgress: { ...SETTINGS.fixedIpEgress, addresses: list('2030-06-01', 31, 32) },
  },
  service: {
    ...SETTINGS,
    serviceEndpoint: { ...SETTINGS.serviceEndpoint, serviceName: 'com.example.epsvc-2' },
  },
  connection: { ...SETTINGS, pluginEndpointService: withoutConnections },
};

const trees = synthesizeAll({ base: SETTINGS, ...CHANGES });

const read = (change: string): SynthesizedTree => readTree(join(trees, change), change);
const base = read('base');
const reviewOf = (change: keyof typeof CHANGES) => review(base, read(change), TODAY);

test('no change of settings is the same: nothing to report but the digests', () => {
  const report = reviewOf('same');
  expect(exitOf(report)).toBe(0);
  expect(report).toMatchObject({
    decision: 'no-change',
    disruptions: [],
    steps: [],
    addressLists: [],
  });
  expect(report.digests.every(({ base, head }) => base === head)).toBe(true);
});

test('a network split in two is no change, and the digest of what is open stays', () => {
  const report = reviewOf('split');
  expect(report).toMatchObject({ decision: 'no-change', changes: [], disruptions: [] });
  expect(report.digests.every(({ base, head }) => base === head)).toBe(true);
});

test('a new address list: addresses, counts, version, and the firewalls that must follow', () => {
  const report = reviewOf('addressList');
  expect(exitOf(report)).toBe(3);
  expect(report.totals).toMatchObject({ widens: 2, narrows: 1, forbidden: 0 });
  expect(report.reach).toMatchObject([
    { was: '21', now: '22', newlyReachable: '2', noLongerReachable: '1' },
  ]);
  expect(report.addressLists).toContainEqual(
    expect.objectContaining({
      versionWas: '2030-01-01',
      versionNow: '2030-06-01',
      added: ['36.1.31.7', '36.1.32.7'],
      removed: ['36.1.30.7'],
    }),
  );
  expect(report.steps.map(({ text }) => text)).toEqual([
    'Update the firewalls that Terraform does not manage: `secure-connectivity render`.',
  ]);
});

test('another endpoint service: the domain that clients call changes, and Terraform refuses', () => {
  const { disruptions, decision } = reviewOf('service');
  expect(decision).toBe('needs-approval');
  expect(disruptions).toMatchObject([
    { action: 'replaced', because: ['service_id', 'service_name'], isRefused: true },
  ]);
  expect(disruptions[0]?.effect).toContain('every client is cut off until it calls the new domain');
});

test('a connection that is no longer named is cut, and the report says so in words', () => {
  const report = reviewOf('connection');
  expect(report.decision).toBe('narrower');
  expect(report.namedPeers).toMatchObject([{ effect: 'lost', kind: 'endpoint', name: 'ep-1' }]);
  expect(markdownReport(report)).toContain('calls over it are cut at once');
});

describe('every format of a real change', () => {
  test.each([
    ['same', 'NO CHANGE: access is the same as before'],
    ['split', 'NO CHANGE: access is the same as before'],
    [
      'addressList',
      'NEEDS APPROVAL: fixed can now reach 36.1.31.7, tcp 443 through the security group (and 2 more)',
    ],
    [
      'service',
      'NEEDS APPROVAL: calls, with their JWTs and tokens, go to another service (service_id of the endpoint: epsvc-1 → epsvc-2) (and 2 more)',
    ],
    [
      'connection',
      'NARROWER: endpoint ep-1 can no longer reach orders, every protocol and port through the accepted connection',
    ],
  ] as const)('%s begins with the decision in words', (change, summary) => {
    const report = reviewOf(change);
    expect(report.summary).toBe(summary);
    expect(textReport(report).split('\n\n')[0]?.replaceAll('\n', ' ')).toBe(summary);
    expect(markdownReport(report).split('\n')[1]).toBe(`## ${inertMarkdown(summary)}`);
  });

  test.each(
    Object.keys(CHANGES) as (keyof typeof CHANGES)[],
  )('%s: no table has more than six columns, and no finding is left out', (change) => {
    const report = reviewOf(change);
    const sections = makeSections(report);
    for (const { columns } of sections) expect(columns.length).toBeLessThanOrEqual(6);
    const rows = findingSections(report).reduce((sum, section) => sum + section.rows.length, 0);
    expect(rows).toBe(report.findings.length);
    const { results } = JSON.parse(sarifReport(report)).runs[0];
    expect(results).toHaveLength(rows);
    expect(allNamed(parseXml(junitReport(report)), 'failure')).toHaveLength(
      report.findings.filter(({ decision }) => decision === 'needs-approval').length,
    );
    expect(reviewReportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
  });
});
