import { expect, test } from 'vitest';
import { jsonParts } from '../../src/files/text-parts.js';
import { pictureAsMermaid } from '../../src/picture/mermaid.js';
import type { Line, Picture } from '../../src/picture/model.js';
import { pictureFigure } from '../../src/picture/page.js';
import { pictureAsSvg } from '../../src/picture/svg.js';
import { documentAsPage } from '../../src/report/html.js';
import type { ReviewReport } from '../../src/review/report-schema.js';
import {
  junitReport,
  markdownReport,
  reviewDocument,
  sarifReport,
  textReport,
} from '../../src/review/reports/document.js';
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

const FIXED = new Set([
  'schema',
  'kind',
  'decision',
  'code',
  'addresses',
  'effect',
  'when',
  'mark',
]);

function hostileReport(hostile: string): ReviewReport {
  const findings = [opened, closed, unencrypted, replaced, forbidden, unread];
  const digests = [{ stack: 'orders', base: 'a', head: 'b' }];
  return withHostile({ ...reportOf(findings), digests, notes: ['note'] }, hostile);
}

test.each(OBEYED)('no report of a review has %j in any of its texts', (hostile) => {
  const report = hostileReport(hostile);
  const written = {
    text: textReport(report),
    markdown: markdownReport(report, pictureAsMermaid(pictureOf(hostile))),
    html: documentAsPage(reviewDocument(report, [pictureFigure(() => pictureOf(hostile))])),
    svg: pictureAsSvg(pictureOf(hostile)),
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

/** A line for each mark and state, in both directions. */
function pictureOf(hostile: string): Picture {
  const marks = ['kept', 'added', 'removed'] as const;
  const states = ['open', 'doubt', 'closed'] as const;
  const one: Omit<Line, 'mark' | 'state'> = {
    ...{ rows: [], peers: ['a', 'b'], label: 'peers', services: 'tcp 443', packet: 'a to b' },
    ...{ rules: [{ resource: 'r', file: 'f', effect: 'accept', rule: 'x', reason: 'y' }] },
    ...{ resource: 'r', reason: 'why', depends: 'what', stop: 0 },
  };
  const lines = marks.flatMap((mark) =>
    states.map((state) => ({ ...withHostile(one, hostile), mark, state })),
  );
  const names = { stack: 'orders', subject: 'orders', role: 'plugin', hosts: ['host'] };
  const doors = [{ word: 'door', name: 'name' }];
  const place = { ...withHostile({ ...names, doors }, hostile), lines };
  const places = (['ingress', 'egress'] as const).map((direction) => ({ ...place, direction }));
  return { places, isCompared: true, unread: [] };
}
