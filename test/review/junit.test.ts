import { expect, test } from 'vitest';
import { junitReport } from '../../src/review/reports/document.js';
import { allNamed, parseXml } from '../support/xml.js';
import { BIDI, closed, forbidden, opened, REORDERED, replaced, reportOf } from './hand-made.js';

const digests = ['production', 'staging'].map((stack) => ({ stack }));

test('a suite for each stack, a case for each finding, and what needs approval fails', () => {
  const report = reportOf([opened, closed, forbidden, { ...replaced, decision: 'no-change' }], {
    digests,
  });
  const root = parseXml(junitReport(report));
  expect(root.attributes).toEqual({
    name: 'secure-connectivity review',
    ...{ tests: '5', failures: '2', errors: '0' },
  });
  const suites = allNamed(root, 'testsuite');
  expect(suites.map(({ attributes }) => attributes)).toEqual([
    { name: 'production', tests: '4', failures: '2', errors: '0' },
    { name: 'staging', tests: '1', failures: '0', errors: '0' },
  ]);
  for (const suite of suites) {
    expect(allNamed(suite, 'testcase')).toHaveLength(Number(suite.attributes.tests));
    expect(allNamed(suite, 'failure')).toHaveLength(Number(suite.attributes.failures));
    expect(suite.children.at(-1)).toMatchObject({ name: 'system-out', text: report.summary });
  }
  expect(allNamed(root, 'testcase').at(-1)?.attributes).toEqual({
    classname: 'staging',
    name: 'no change',
  });
});

test('a failure says who, what, through which resource, before and after, and why', () => {
  const [failure] = allNamed(parseXml(junitReport(reportOf([opened]))), 'failure');
  expect(failure?.attributes).toEqual({
    type: 'access',
    message: 'needs approval: 10.0.0.0/8 can now reach orders, tcp 443 through the firewall',
  });
  expect(failure?.text.split('\n').slice(1)).toEqual([
    `through ${opened.resource} in production`,
    'closed → tcp 443',
    '16777216 addresses',
    'reason: calls of the workers',
  ]);
  const [worst] = allNamed(parseXml(junitReport(reportOf([forbidden]))), 'failure');
  expect(worst?.attributes.type).toBe('policy.too-open');
});

test('text of a change stays text', () => {
  const hostile = `</failure><x a="b">&amp;\u0001`;
  const report = reportOf([{ ...opened, who: hostile, reason: hostile }]);
  const [failure] = allNamed(parseXml(junitReport(report)), 'failure');
  expect(failure?.text).toContain('</failure><x a="b">&amp;\uFFFD can now reach');
});

test('no character of a change reorders what a reviewer sees', () => {
  const written = junitReport(reportOf([{ ...opened, ...REORDERED, who: `a${BIDI}b` }]));
  expect(written).not.toMatch(/\p{Bidi_Control}/u);
  expect(written).toContain(`a${'\uFFFD'.repeat([...BIDI].length)}b can now reach`);
});
