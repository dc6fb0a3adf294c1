import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { sarifParts } from '../../src/report/sarif.js';
import type { Finding } from '../../src/review/report-schema.js';
import { reviewResults, sarifReport } from '../../src/review/reports/document.js';
import {
  BIDI,
  closed,
  forbidden,
  opened,
  REORDERED,
  replaced,
  reportOf,
  unencrypted,
  unread,
} from './hand-made.js';

const message = z.strictObject({ text: z.string().min(1) });
const bag = z.record(z.string(), z.unknown());

/** The part of SARIF 2.1.0 that is written here; the standard allows no other properties. */
const log = z.strictObject({
  $schema: z.url(),
  version: z.literal('2.1.0'),
  runs: z.tuple([
    z.strictObject({
      tool: z.strictObject({
        driver: z.strictObject({
          name: z.string(),
          version: z.string(),
          rules: z.array(
            z.strictObject({
              id: z.string().min(1),
              shortDescription: message,
              fullDescription: message,
              help: message,
            }),
          ),
        }),
      }),
      originalUriBaseIds: z.record(z.string(), z.strictObject({ description: message })),
      columnKind: z.enum(['utf16CodeUnits', 'unicodeCodePoints']),
      results: z.array(
        z.strictObject({
          ruleId: z.string(),
          ruleIndex: z.int().min(0),
          kind: z.enum(['notApplicable', 'pass', 'fail', 'review', 'open', 'informational']),
          level: z.enum(['none', 'note', 'warning', 'error']),
          message,
          locations: z.tuple([
            z.strictObject({
              physicalLocation: z.strictObject({
                artifactLocation: z.strictObject({
                  uri: z.string().regex(/^(?:[\w.~/-]|%[0-9A-F]{2})+$/),
                  uriBaseId: z.string(),
                }),
                region: z.strictObject({ startLine: z.int().min(1) }),
              }),
              logicalLocations: z.tuple([
                z.strictObject({
                  name: z.string(),
                  fullyQualifiedName: z.string(),
                  kind: z.string(),
                }),
              ]),
            }),
          ]),
          partialFingerprints: z.record(z.string(), z.string()),
          properties: bag,
        }),
      ),
      properties: bag,
    }),
  ]),
});

function runOf(...findings: Finding[]) {
  const [run] = log.parse(JSON.parse(sarifReport(reportOf(findings)))).runs;
  return { ...run, rules: run.tool.driver.rules };
}

const ALL = [opened, closed, unencrypted, replaced, forbidden, unread];

describe('a SARIF report', () => {
  test('has a result for each finding, and its level is that of the decision', () => {
    const { results } = runOf(...ALL, { ...replaced, decision: 'no-change' });
    expect(
      results.map(({ kind, level, properties }) => [properties.decision, kind, level]),
    ).toEqual([
      ['forbidden', 'fail', 'error'],
      ...Array.from({ length: 4 }, () => ['needs-approval', 'fail', 'warning']),
      ['narrower', 'fail', 'note'],
      ['no-change', 'informational', 'none'],
    ]);
  });

  test('has a rule for each kind and code, which its results refer to', () => {
    const { results, rules } = runOf(...ALL);
    expect(rules.map(({ id }) => id)).toEqual([
      'policy.too-open',
      'review.access',
      'review.disruption',
      'review.safeguard',
      'review.unread',
    ]);
    for (const { ruleId, ruleIndex } of results) expect(rules[ruleIndex]?.id).toBe(ruleId);
  });

  test('names the file and the resource, also where the stack has an odd name', () => {
    const { results } = runOf({ ...opened, stack: 'a b/ü' }, { ...unread, resource: 'extra.tf' });
    expect(results.map(({ locations: [at] }) => at.physicalLocation.artifactLocation.uri)).toEqual([
      'stacks/a%20b%2F%C3%BC/cdk.tf.json',
      'stacks/production/extra.tf',
    ]);
    expect(results[0]?.locations[0].logicalLocations[0]).toEqual({
      name: opened.resource,
      fullyQualifiedName: `a b/ü/${opened.resource}`,
      kind: 'resource',
    });
  });

  const printOf = (finding: Finding) => runOf(finding).results[0]?.partialFingerprints;

  test.each([
    'who',
    'what',
    'before',
    'after',
    'addresses',
    'consequence',
    'reason',
    'exception',
  ] as const)('a finding whose `%s` is worded otherwise is the same alert', (field) => {
    for (const finding of ALL) {
      expect(printOf({ ...finding, [field]: '1' })).toEqual(printOf(finding));
    }
  });

  test('a finding of another rule, stack, resource or identity is another alert', () => {
    const others: Partial<Finding>[] = [
      { kind: 'safeguard' },
      { code: 'policy.too-open' },
      { stack: 'x' },
      { resource: 'x' },
      { identity: [...opened.identity, 'x'] },
    ];
    for (const other of others)
      expect(printOf({ ...opened, ...other })).not.toEqual(printOf(opened));
  });

  test('no text of a change is a link or a placeholder', () => {
    const { results } = runOf({ ...opened, who: '[x](1) {0} \\' });
    expect(results[0]?.message.text).toMatch(/^\\\[x\\\]\(1\) \{\{0\}\} \\\\ can now reach/);
  });

  test('without findings has no result', () => {
    expect(runOf()).toMatchObject({
      rules: [],
      results: [],
      properties: { decision: 'no-change' },
    });
  });
});

test('no character of a change reorders what a reviewer sees', () => {
  const written = sarifReport(reportOf([{ ...opened, ...REORDERED, who: `a${BIDI}b` }]));
  // Escapes become the characters again.
  const read = log.parse(JSON.parse(written));
  expect(JSON.stringify(read)).not.toMatch(/\p{Bidi_Control}/u);
});

test('is written result by result, so that many are not held as text at once', () => {
  const report = reportOf(Array.from({ length: 300 }, () => opened));
  const parts = [...sarifParts(reviewResults(report))];
  expect(parts.join('')).toBe(sarifReport(report));
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(5_000);
});
