import { describe, expect, test } from 'vitest';
import { factsOf } from '../../src/codes/codes.js';
import { COMMENT_LIMIT } from '../../src/report/markdown.js';
import { type Finding, reviewReportSchema } from '../../src/review/report-schema.js';
import { COMMENT_MARK, markdownReport, textReport } from '../../src/review/reports/document.js';
import { review } from '../../src/review/review.js';
import {
  closed,
  forbidden,
  GROUP,
  opened,
  replaced,
  reportOf,
  unencrypted,
  unread,
} from './hand-made.js';
import { from, reviewOf, stackOf, TODAY, treeOf } from './trees.js';

const ALL = [opened, closed, unencrypted, replaced, forbidden, unread];

/** Tables of a Markdown report by their titles; without the line of dashes. */
function tablesOf(markdown: string): ReadonlyMap<string, string[][]> {
  const parts = markdown.split(/\n(?:### |<details><summary>)/).slice(1);
  return new Map(
    parts.map((part) => {
      const [title = '', ...lines] = part.replace('</summary>', '').split('\n');
      const rows = lines
        .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
        .map((line) => line.slice(2, -2).split(' | '));
      return [title, rows];
    }),
  );
}

describe('markdown', () => {
  test('begins with a mark to find it by, and the decision', () => {
    expect(
      markdownReport(reportOf([opened]))
        .split('\n')
        .slice(0, 2),
    ).toEqual([
      COMMENT_MARK,
      '## NEEDS APPROVAL: 10.0.0.0/8 can now reach orders, tcp 443 through the firewall',
    ]);
  });

  test('has a row a finding: who, what, through which resource, before and after, addresses, reason', () => {
    const tables = tablesOf(markdownReport(reportOf(ALL)));
    expect(tables.get('Newly reachable')).toEqual([
      ['who', 'what', 'through', 'before → after', 'addresses', 'reason or exception'],
      [
        ...['10.0.0.0/8', 'orders, tcp 443', 'firewall policy orders'],
        ...['closed → tcp 443', '+16,777,216', 'calls of the workers'],
      ],
    ]);
    expect(tables.get('No longer reachable')?.[1]?.slice(2, 5)).toEqual([
      'security group endpoint',
      'tcp 443 → closed',
      '−4',
    ]);
    expect(tables.get('Safeguards')?.[1]).toEqual([
      ...['needs approval', 'plain HTTP of orders', 'output.connectivity'],
      ...['none → http', 'JWT and token travel unencrypted'],
    ]);
    expect(tables.get('Forbidden')?.[1]).toEqual([
      ...['endpoint admits `4294967296` IPv4 addresses', 'security group endpoint', ''],
      ...[factsOf('policy.too-open').remedy, 'policy.too-open'],
    ]);
    expect([...tables.keys()]).toEqual([
      'Forbidden',
      'Newly reachable',
      'No longer reachable',
      'Safeguards',
      'Removed, replaced, and what clients notice',
      'Changed, and not read by this review',
    ]);
  });

  test('no table has more than six columns', () => {
    const exception = { reason: 'r', owner: 'o', expires: '2031-01-01' };
    const report = reviewOf([from('10.0.0.0/24')], [from('0.0.0.0/0', { exception })]);
    const whole = { ...report, findings: [...reportOf(ALL).findings, ...report.findings] };
    const tables = [...tablesOf(markdownReport(whole)).values()].filter(({ length }) => length > 0);
    expect(tables.length).toBeGreaterThan(5);
    for (const rows of tables) expect(rows[0]?.length).toBeLessThanOrEqual(6);
  });

  test('names the stack of a resource where there are several', () => {
    const rows = tablesOf(markdownReport(reportOf([opened, { ...opened, stack: 'staging' }])));
    expect(rows.get('Newly reachable')?.map((row) => row[2])).toEqual([
      'through',
      'firewall policy orders (production)',
      'firewall policy orders (staging)',
    ]);
  });

  test('a reason or ticket that the base has already covers nothing new', () => {
    const report = reportOf([opened], {
      baseReasons: ['calls of the workers'],
      tickets: [{ stack: 'production', base: 'NET-7', head: 'NET-7' }],
    });
    const tables = tablesOf(markdownReport(report));
    expect(tables.get('Newly reachable')?.[1]?.at(-1)).toBe(
      'calls of the workers (same reason as existing rules)',
    );
    expect(tables.get('Tickets (tag of the stack, not of a change)')?.[1]).toEqual([
      'production',
      'NET-7',
      'unchanged',
    ]);
    expect(markdownReport({ ...report, ...reportOf([closed]) })).not.toContain('Tickets');
  });

  test('an exception precedes the reason', () => {
    const finding: Finding = { ...opened, exception: 'migration, until 2031-01-01' };
    expect(
      tablesOf(markdownReport(reportOf([finding])))
        .get('Newly reachable')?.[1]
        ?.at(-1),
    ).toBe('exception: migration, until 2031-01-01; calls of the workers');
  });

  test('folds the diagram', () => {
    expect(markdownReport(reportOf(ALL), 'flowchart LR\n')).toContain(
      '```mermaid\nflowchart LR\n```',
    );
  });

  test('prints both digests, or that they are unchanged', () => {
    const [a, b] = ['a'.repeat(64), 'b'.repeat(64)];
    const digests = [
      { stack: 'production', base: a, head: b },
      { stack: 'staging', base: a, head: a },
    ];
    expect(
      tablesOf(markdownReport(reportOf([], { digests }))).get('Digests of what Terraform opens'),
    ).toEqual([
      ['stack', 'base', 'head'],
      ['production', a, b],
      ['staging', a, 'unchanged'],
    ]);
  });

  test('lets no text of the pull request leave its cell, become markup or call anyone', () => {
    const hostile = 'a | b\n# title <img src=x> @team [x](https://example.com) **bold** ${x} &amp;';
    const finding: Finding = {
      ...opened,
      ...{ who: hostile, what: hostile, resource: hostile, before: hostile, after: hostile },
      ...{ reason: hostile, exception: hostile, consequence: hostile },
    };
    const kinds = ['access', 'safeguard', 'unread', 'policy', 'disagreement'] as const;
    const lines = kinds.flatMap((kind) => [
      ...markdownReport(reportOf([{ ...finding, kind }])).split('\n'),
    ]);
    const cells = lines.filter((line) => line.startsWith('| ') && line.includes('img'));
    const headings = lines.filter((line) => line.startsWith('## '));
    expect([cells.length, headings.length]).toEqual([5, 5]);
    for (const line of [...cells, ...headings]) {
      const outside = line.replace(/^## /, '').replaceAll(/`[^`]*`/g, '');
      expect(outside.replaceAll('&#124;', '')).not.toMatch(/[<>@[\]*$#&]|:\/\//);
    }
    for (const row of cells) expect([6, 7]).toContain(row.match(/\|/g)?.length);
  });
});

describe('a report that does not fit in a comment', () => {
  const many = Array.from(
    { length: 4000 },
    (_, i): Finding => ({
      ...opened,
      who: `10.0.${i >> 8}.${i & 255}`,
      reason: `reason ${i} ${'x'.repeat(200)}`,
    }),
  );
  const digests = [{ stack: 'production', base: 'a'.repeat(64), head: 'b'.repeat(64) }];
  const report = reportOf([...many, closed, { ...opened, resource: GROUP }], { digests });

  test('keeps decision, totals by resource and digests, and says loudly that it is cut', () => {
    const text = markdownReport(report, 'flowchart LR\n');
    expect(text.length).toBeLessThanOrEqual(COMMENT_LIMIT);
    expect(text).toContain('## NEEDS APPROVAL: ');
    expect(text).toContain('**TRUNCATED: this report does not fit');
    expect(text).toContain('- firewall policy orders (production): 4000');
    expect(text).toContain('- security group endpoint (production): 1');
    expect(text).toContain('**TRUNCATED: 4001 of 4001 not shown.**');
    expect(text).toMatch(/\| production \| a{64} \| b{64} \|/);
  });

  test('draws nothing for which there is no room', () => {
    const draw = () => {
      throw new Error('drawn');
    };
    expect(markdownReport(report, draw)).toContain('TRUNCATED');
    expect(() => markdownReport(reportOf([opened]), draw)).toThrow('drawn');
  });

  test('fits whatever it is that is long', () => {
    const exception = { reason: 'y'.repeat(9_000), owner: 'z'.repeat(9_000), expires: 'never' };
    const stacks = Array.from({ length: 300 }, (_, i) =>
      stackOf([from(`10.0.0.${i % 250}/32`, { exception })], {}, `stack-${i}-${'n'.repeat(300)}`),
    );
    const text = markdownReport(review(new Map(), treeOf(...stacks), TODAY));
    expect(text.length).toBeLessThanOrEqual(COMMENT_LIMIT);
    expect(text).toContain('TRUNCATED');
  });

  test('is whole as text and as JSON', () => {
    expect(textReport(report).match(/^ {2}- 10\.0\.\d/gm)).toHaveLength(4001);
    expect(reviewReportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
  });
});

describe('text', () => {
  test('begins with the decision and wraps long columns without losing a word', () => {
    const reason = 'nightly export of all orders to the warehouse of the finance department';
    const text = textReport(reportOf([{ ...opened, reason }]));
    expect(text.split('\n')[0]).toBe(
      'NEEDS APPROVAL: 10.0.0.0/8 can now reach orders, tcp 443 through the firewall',
    );
    expect(text).toContain(
      '\n    addresses: +16,777,216\n    reason or exception: nightly export of',
    );
    expect(text.replaceAll(/\s+/g, ' ')).toContain(reason);
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100);
  });

  test('puts the deploy between the steps before it and those after it', () => {
    const rules = [from('192.0.2.1/32', { via: 'fixed-ip-ingress' })];
    expect(textReport(reviewOf([], rules))).toMatch(
      /\n {2}1\. Make sure[^\n]*\n {2}2\. Ask the business manager[^.]*\.[^.]*\.\n {2}3\. Deploy\.\n {2}4\. Update the firewalls/,
    );
  });

  test('is coloured where a terminal shows it, in the colour of the decision', () => {
    const marked = textReport(reportOf([opened]), (style, part) => `<${style}>${part}</>`);
    expect(marked).toMatch(/^<yellow>NEEDS APPROVAL: [^<]*<\/>\n\n<bold>Newly reachable<\/>\n/);
    expect(textReport(reportOf([opened]))).not.toContain('\u001b');
  });

  test('lets no control character of a tree reach the terminal', () => {
    const reason = 'calm\u001b[31mred\u202e\nline';
    const finding = { ...opened, reason, who: reason, what: reason, resource: reason };
    expect(textReport(reportOf([finding]))).not.toMatch(/[^\P{C}\n]/u);
  });
});

test('the rules of two trees become rows', () => {
  const report = reviewOf([from('10.0.0.0/24')], [from('10.0.0.0/25'), from('192.0.2.7/32')]);
  expect(report.summary).toBe(
    'NEEDS APPROVAL: 192.0.2.7 can now reach endpoint, tcp 443 through access.json',
  );
  expect(report.findings).toMatchObject([
    { who: '192.0.2.7', before: 'closed', after: 'tcp 443', addresses: '1', isReasonOld: true },
    { who: '10.0.0.128/25', before: 'tcp 443', after: 'closed', addresses: '128' },
  ]);
});
