import { expect, test } from 'vitest';
import { findPatterns, vantagePointTable } from '../../../src/verify/model/failure-patterns.js';
import type { LinkResult } from '../../../src/verify/model/verification.js';

/** Results from a table of the codes that links fail with. */
function results(table: Readonly<Record<string, Readonly<Record<string, string>>>>): LinkResult[] {
  return Object.entries(table).flatMap(([vantagePoint, links]) =>
    Object.entries(links).map(([link, code]) => {
      const status = code === '' ? ('passed' as const) : ('failed' as const);
      const failure = code === '' ? {} : { code };
      return {
        name: `${link}@${vantagePoint}`,
        vantagePoint,
        via: 'service-endpoint',
        baseUrl: 'https://x.example',
        verdict: code === '' ? 'reachable' : 'unreachable',
        elapsedMs: 1,
        attempts: 1,
        accessDigest: '',
        notes: [],
        connectTo: [],
        causes: [],
        ruledOut: [],
        stages: [{ stage: 'tcp', status, elapsedMs: 1, evidence: {}, ...failure }],
      } satisfies LinkResult;
    }),
  );
}

function patternsOf(table: Parameters<typeof results>[0]) {
  return findPatterns(results(table)).map(({ kind, vantagePoints, links }) => [
    kind,
    vantagePoints,
    links,
  ]);
}

test('what fails from one vantage point alone is on the path from there', () => {
  expect(patternsOf({ a: { x: 'tcp.timeout', y: 'tcp.timeout' }, b: { x: '', y: '' } })).toEqual([
    ['vantage-point', ['a'], ['x', 'y']],
  ]);
  expect(patternsOf({ a: { x: 'tcp.timeout' }, b: { x: '' } })).toEqual([
    ['vantage-point', ['a'], ['x']],
  ]);
});

test('what fails from every vantage point is the link’s own', () => {
  expect(patternsOf({ a: { x: 'tcp.timeout', y: '' }, b: { x: 'tls.reset', y: '' } })).toEqual([
    ['link', ['a', 'b'], ['x']],
  ]);
});

test('one link from one vantage point is the path between them, and a vantage point and a link can fail together', () => {
  expect(patternsOf({ a: { x: 'tcp.timeout', y: '' }, b: { x: '', y: '' } })).toEqual([
    ['path', ['a'], ['x']],
  ]);
  const bad = 'tcp.timeout';
  expect(
    patternsOf({
      a: { x: bad, y: bad, z: bad },
      b: { x: bad, y: '', z: '' },
      c: { x: bad, y: '', z: '' },
    }),
  ).toEqual([
    ['vantage-point', ['a'], ['x', 'y', 'z']],
    ['link', ['a', 'b', 'c'], ['x']],
  ]);
});

test('what fails everywhere is on what all share, and a vantage point without a check says nothing', () => {
  const refused = { x: 'token.invalid-client', y: 'token.invalid-client' };
  expect(patternsOf({ a: refused, b: refused })).toEqual([['everywhere', ['a', 'b'], ['x', 'y']]]);
  expect(patternsOf({ a: { x: 'run.vantage-point' }, b: { x: '' } })).toEqual([
    ['unseen', ['a'], ['x']],
  ]);
  expect(patternsOf({ a: { x: 'run.vantage-point' }, b: { x: 'tcp.timeout' } })).toEqual([
    ['unseen', ['a'], ['x']],
  ]);
});

test('nothing is said of one vantage point, or where all is well', () => {
  expect(patternsOf({ a: { x: 'tcp.timeout' } })).toEqual([]);
  expect(patternsOf({ a: { x: '' }, b: { x: '' } })).toEqual([]);
});

test('the table has a row for each link and a column for each vantage point', () => {
  expect(
    vantagePointTable({ links: results({ a: { x: 'tcp.timeout', y: '' }, b: { x: '', y: '' } }) }),
  ).toEqual([
    ['', 'a', 'b'],
    ['x', 'tcp.timeout', 'reachable'],
    ['y', 'reachable', 'reachable'],
  ]);
});
