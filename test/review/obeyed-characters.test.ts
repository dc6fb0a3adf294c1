import { expect, test } from 'vitest';
import { jsonParts } from '../../src/files/text-parts.js';
import type { DrawnRule } from '../../src/review/diagram/drawn-rules.js';
import { mermaidDiagram } from '../../src/review/diagram/mermaid.js';
import type { ReviewReport } from '../../src/review/report-schema.js';
import { junitReport } from '../../src/review/reports/junit.js';
import { markdownReport } from '../../src/review/reports/markdown.js';
import { sarifReport } from '../../src/review/reports/sarif.js';
import { textReport } from '../../src/review/reports/text.js';
import { closed, forbidden, opened, replaced, reportOf, unencrypted, unread } from './hand-made.js';

/** Erases a screen, ends a line in a browser, turns the order of text, and is half of a character. */
const OBEYED = [
  '\u001b[2J',
  '\u009b2J',
  '\u2028',
  '\u2029',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u0000',
  '\ud800',
  '\udc00',
];

/** What is not shown but obeyed, beside the ends of lines that a report has. */
const NEVER = /[^\P{C}\n]|[\p{Zl}\p{Zp}]/u;

/** Adds to every text of a value, but for those that the program itself sets. */
function withHostile<T>(value: T, hostile: string, key = ''): T {
  if (typeof value === 'string') {
    return (FIXED.has(key) ? value : `${value}${hostile}.tf`) as T;
  }
  if (Array.isArray(value)) return value.map((one) => withHostile(one, hostile, key)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, one]) => [name, withHostile(one, hostile, name)]),
  ) as T;
}

const FIXED = new Set(['schema', 'kind', 'decision', 'code', 'addresses', 'effect', 'when']);

function hostileReport(hostile: string): ReviewReport {
  const findings = [opened, closed, unencrypted, replaced, forbidden, unread];
  const digests = [{ stack: 'orders', base: 'a', head: 'b' }];
  return withHostile({ ...reportOf(findings), digests, notes: ['note'] }, hostile);
}

test.each(OBEYED)('no report of a review has %j in any of its texts', (hostile) => {
  const report = hostileReport(hostile);
  const written = {
    text: textReport(report),
    markdown: markdownReport(report, mermaidDiagram(rules(hostile))),
    junit: junitReport(report),
    sarif: sarifReport(report),
    json: [...jsonParts(report)].join(''),
  };
  for (const [format, text] of Object.entries(written)) {
    expect(NEVER.exec(text)?.[0], format).toBeUndefined();
    // The names themselves are there.
    expect(text, format).toContain('orders');
  }
  expect(JSON.parse(written.json)).toEqual(report);
});

/** A rule for each shape and place of a diagram. */
function rules(hostile: string): DrawnRule[] {
  const one: DrawnRule = {
    ...{ place: 'endpoint', isStated: true, stack: 'orders', via: 'service-endpoint' },
    ...{ direction: 'ingress', subject: 'orders', kind: 'addresses', role: undefined },
    ...{ text: '10.0.0.0/8', addresses: 1n, services: 'tcp 443', mark: 'added' },
  };
  const all: DrawnRule[] = [
    one,
    { ...one, place: 'elsewhere', via: 'other' },
    { ...one, direction: 'egress', via: 'fixed-ip-egress', place: 'security group' },
    { ...one, kind: 'account', role: 'foreign-account' },
  ];
  return all.map((rule) => ({
    ...rule,
    ...withHostile(
      { stack: rule.stack, subject: rule.subject, text: rule.text, services: rule.services },
      hostile,
    ),
    ...(rule.via === 'other' && { via: `other${hostile}` }),
  }));
}

test.each(OBEYED)('no label of a diagram has %j', (hostile) => {
  const text = mermaidDiagram(rules(hostile));
  expect(NEVER.exec(text)?.[0]).toBeUndefined();
  expect(text).toContain('orders');
});
