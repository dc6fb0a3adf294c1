import { describe, expect, test } from 'vitest';
import { reviewReportSchema } from '../../src/review/report-schema.js';
import { COMMENT_LIMIT, COMMENT_MARK, markdownReport } from '../../src/review/reports/markdown.js';
import { textReport } from '../../src/review/reports/text.js';
import { review } from '../../src/review/review.js';
import { from, reviewOf, stackOf, TODAY, treeOf } from './trees.js';

const wider = reviewOf([from('10.0.0.0/24')], [from('10.0.0.0/24'), from('192.0.2.7/32')]);

describe('markdown', () => {
  test('begins with a mark to find it by, and the verdict', () => {
    expect(markdownReport(wider).split('\n').slice(0, 4)).toEqual([
      COMMENT_MARK,
      '## WIDENS 1 · NARROWS 0 · NEUTRAL 1',
      '',
      'More may talk to more than before.',
    ]);
  });

  test('has a row for what was opened, in the order of who talks to whom', () => {
    expect(markdownReport(wider)).toContain(
      '| widens | private-network | ingress | 192.0.2.7 | endpoint | tcp 443 | closed | tcp 443 | calls to the service |',
    );
    const out = reviewOf([], [from('192.0.2.7/32', { direction: 'egress' })]);
    expect(markdownReport(out)).toContain('| egress | endpoint | 192.0.2.7 |');
  });

  test('folds the diagram', () => {
    expect(markdownReport(wider, 'flowchart LR\n')).toContain('```mermaid\nflowchart LR\n```');
  });

  test('prints both digests, or that they are the same', () => {
    expect(markdownReport(wider)).toMatch(/\| api-access \| [0-9a-f]{64} \| [0-9a-f]{64} \|/);
    const same = reviewOf([from('10.0.0.0/24')], [from('10.0.0.0/24')]);
    expect(markdownReport(same)).toMatch(/\| api-access \| [0-9a-f]{64} \| the same \|/);
  });

  test('lets no text of the pull request leave its cell, become markup or call anyone', () => {
    const reason = 'a | b\n# title <img src=x> @team [x](https://example.com) **bold** ${x}';
    const text = markdownReport(reviewOf([], [from('192.0.2.7/32', { reason })]));
    const row = text.split('\n').find((line) => line.startsWith('| widens'));
    expect(row?.match(/\|/g)).toHaveLength(10);
    expect(row?.replaceAll(/`[^`]*`/g, '')).not.toMatch(/[<>@[\]*$]|:\/\//);
  });
});

describe('a report that does not fit in a comment', () => {
  const many = Array.from({ length: 4000 }, (_, i) =>
    from(`10.${i >> 8}.${i & 255}.1/32`, { reason: `reason ${i} ${'x'.repeat(200)}` }),
  );
  const report = reviewOf([], [...many, from('192.0.2.1/32', { via: 'fixed-ip' })]);

  test('keeps verdict, totals by option and digests, and says loudly that it is cut', () => {
    const text = markdownReport(report, 'flowchart LR\n');
    expect(text.length).toBeLessThanOrEqual(COMMENT_LIMIT);
    expect(text).toContain('## WIDENS 4001 · NARROWS 0 · NEUTRAL 0');
    expect(text).toContain('**TRUNCATED: this report does not fit');
    expect(text).toContain('- private-network: widens 4000, narrows 0');
    expect(text).toContain('- fixed-ip: widens 1, narrows 0');
    expect(text).toMatch(/\| api-access \| [0-9a-f]{64} \|/);
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
    expect(textReport(report).match(/^ {2}widens/gm)).toHaveLength(4001);
    expect(reviewReportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
  });
});

test('text puts the deploy between the steps before it and those after it', () => {
  const rules = [from('192.0.2.1/32', { via: 'fixed-ip-plugin' })];
  expect(textReport(reviewOf([], rules))).toMatch(
    /\n {2}1\. Ask the business manager.*\n {2}2\. Deploy\.\n {2}3\. Let the firewalls/,
  );
});

test('text lets no control character of a tree reach the terminal', () => {
  const reason = 'calm\u001b[31mred\u202e\nline';
  expect(textReport(reviewOf([], [from('192.0.2.1/32', { reason })]))).not.toMatch(/[^\P{C}\n]/u);
});
