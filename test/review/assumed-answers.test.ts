import { expect, test } from 'vitest';
import { markdownReport, textReport } from '../../src/review/reports/document.js';
import { reviewOfTerraform } from './trees.js';

const ENTRY = { protocol: 'tcp', port_start: 443, port_end: 443, policy: 'accept', priority: 10 };
const ONE = { ...ENTRY, cidr_ip: '192.0.2.0/24' };
const OTHER = { ...ENTRY, cidr_ip: '198.51.100.0/24' };
const REST = ['0.0.0.0/0', '::/0'].map((cidr_ip) => ({
  ...{ protocol: 'all', port_start: -1, port_end: -1, policy: 'drop', priority: 100, cidr_ip },
}));

const workers = (...rules: readonly object[]) => ({
  resource: { volcenginecc_vpc_security_group: { workers: { egress_permissions: rules } } },
});

/** The rows about one network, and the lines on what the result depends on. */
function reviewed(base: Record<string, unknown>, head: Record<string, unknown>) {
  const report = reviewOfTerraform(base, head);
  const rows = report.changes.map(({ effect, peer }) => `${effect} ${peer}`);
  const line = /The result depends on [`'‘]?group-outward/;
  const all = [textReport(report), markdownReport(report), JSON.stringify(report)];
  return { rows, lines: all.map((text) => text.match(new RegExp(line, 'g'))?.length ?? 0) };
}

test.each<[what: string, base: object[], head: object[], row: string]>([
  ['a cut', [ONE, OTHER], [ONE], 'narrows 198.51.100.0/24'],
  ['an opening', [ONE], [ONE, OTHER], 'widens 198.51.100.0/24'],
])('%s by one answer alone counts, with a line in each report', (_, base, head, row) => {
  const found = reviewed(workers(...base), workers(...head));
  expect(found).toEqual({ rows: [row], lines: [1, 1, 1] });
});

test.each<[what: string, base: object[], head: object[], rows: string[]]>([
  ['drops the rest', [ONE, OTHER, ...REST], [ONE, ...REST], ['narrows 198.51.100.0/24']],
  ['accepts nothing', REST, REST, []],
])('no line where a group %s', (_, base, head, rows) => {
  expect(reviewed(workers(...base), workers(...head))).toEqual({ rows, lines: [0, 0, 0] });
});
