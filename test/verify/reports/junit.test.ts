import { expect, test } from 'vitest';
import { junitReport } from '../../../src/verify/reports/written.js';
import { allNamed, parseXml, type XmlElement } from '../../support/xml.js';
import { HOSTILE_LINK, LOG_ID, MIXED, verificationOf } from './samples.js';

test('a suite for each link and a case for each stage, with counts that add up', () => {
  const root = parseXml(junitReport(MIXED));
  expect(root.attributes).toMatchObject({ tests: '32', failures: '2', errors: '0' });
  const suites = allNamed(root, 'testsuite');
  expect(suites.map(({ attributes }) => [attributes.name, attributes.tests])).toEqual([
    ['api', '12'],
    ['half-dead', '12'],
    ['no-name', '8'],
  ]);
  for (const suite of suites) {
    expect(allNamed(suite, 'testcase')).toHaveLength(Number(suite.attributes.tests));
    expect(allNamed(suite, 'failure')).toHaveLength(Number(suite.attributes.failures));
    expect(allNamed(suite, 'skipped')).toHaveLength(Number(suite.attributes.skipped));
  }
});

test('a failure tells code, evidence, cause, remedy and what else it may be', () => {
  const [failure] = allNamed(parseXml(junitReport(MIXED)), 'failure');
  expect(failure?.attributes).toEqual({
    type: 'tcp.timeout',
    message: 'The connection attempt gets no answer',
  });
  expect(failure?.text).toMatch(/^tcp\.timeout {2}port 443/);
  expect(failure?.text).toContain('remedy: Open the security group.');
  expect(failure?.text).toContain('also: address.unexpected: A stale record.');
});

test('the log id is beside every stage that has one', () => {
  const cases = allNamed(parseXml(junitReport(MIXED)), 'testcase');
  const token = cases.find(({ attributes }) => attributes.name === 'token');
  expect(token?.children[0]?.text).toContain(LOG_ID);
  expect(Number(token?.attributes.time)).toBe(0.048);
});

test('a check that could not be made is an error, not a failure', () => {
  const [link] = MIXED.links;
  if (link === undefined) throw new Error('no link');
  const stages = [{ ...link.stages[0], status: 'failed', code: 'credentials.missing' }];
  const xml = junitReport(verificationOf({ ...link, stages } as typeof link));
  expect(allNamed(parseXml(xml), 'error')).toHaveLength(1);
  expect(parseXml(xml).attributes).toMatchObject({ errors: '1', failures: '0' });
});

/** The rules of Jenkins' xUnit plugin for each element: its attributes, those it must have, its children. */
const FORMAT: Record<string, { may: string[]; must: string[]; children: string[] }> = {
  testsuites: {
    may: ['name', 'time', 'tests', 'failures', 'errors'],
    must: [],
    children: ['testsuite'],
  },
  testsuite: {
    may: ['name', 'tests', 'failures', 'errors', 'skipped', 'time', 'timestamp', 'hostname', 'id'],
    must: ['name', 'tests', 'failures', 'errors'],
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
  },
  properties: { may: [], must: [], children: ['property'] },
  property: { may: ['name', 'value'], must: ['name', 'value'], children: [] },
  testcase: {
    may: ['name', 'time', 'classname', 'group'],
    must: ['name'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  skipped: { may: ['type', 'message'], must: [], children: [] },
  failure: { may: ['type', 'message'], must: [], children: [] },
  error: { may: ['type', 'message'], must: [], children: [] },
  'system-out': { may: [], must: [], children: [] },
};

/** Elements in which text may stand. */
const WITH_TEXT = ['skipped', 'failure', 'error', 'system-out'];

function expectValid({ name, attributes, children, text }: XmlElement): void {
  const rules = FORMAT[name];
  expect(rules, name).toBeDefined();
  expect(rules?.may, name).toEqual(expect.arrayContaining(Object.keys(attributes)));
  expect(Object.keys(attributes), name).toEqual(expect.arrayContaining(rules?.must ?? []));
  expect(rules?.children, name).toEqual(
    expect.arrayContaining(children.map((child) => child.name)),
  );
  if (!WITH_TEXT.includes(name)) expect(text.trim(), name).toBe('');
  if (attributes.time !== undefined) expect(attributes.time).toMatch(/^\d*(\.\d{0,3})?$/);
  if (name === 'properties') expect(children.length).toBeGreaterThan(0);
  for (const child of children) expectValid(child);
}

test.each([
  ['of mixed links', MIXED],
  ['of a hostile link', verificationOf(HOSTILE_LINK)],
  ['of no link', { ...MIXED, links: [] }],
])('a report %s is one that Jenkins accepts', (_, verification) => {
  const root = parseXml(junitReport(verification));
  expect(root.name).toBe('testsuites');
  expectValid(root);
});
