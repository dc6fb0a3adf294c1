import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { linkRecordSchema } from '../../../src/verify/model/results.js';
import { verificationSchema } from '../../../src/verify/model/verification.js';
import { jsonLinesReport, jsonReport, linkRecord } from '../../../src/verify/reports/json.js';
import { readVerification } from '../../../src/verify/reports/read-verification.js';
import { textReport } from '../../../src/verify/reports/text-report.js';
import { check, createWorld } from '../../support/verifiable-link.js';
import { GOOD_LINK, HALF_DEAD, MIXED, NO_NAME, verificationOf } from './samples.js';

/** A report as a later program of the same version may write it. */
function fromLater(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromLater);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, fromLater(one)]);
  return { ...Object.fromEntries(entries), addedLater: 'x' };
}

test('the JSON report is the result itself', () => {
  expect(JSON.parse(jsonReport(MIXED))).toEqual(MIXED);
});

// What the schema does not know it takes out: nothing may be missing afterwards.
test('a report of a real run has no field that the schema lacks, whether it passes or fails', async () => {
  const world = await createWorld();
  const passing = await check(world);
  world.dns = { names: {} };
  const failing = await check(world, { settle: 2, settings: MIXED.settings });
  expect(failing.links[0]?.probes).not.toEqual([]);
  for (const written of [passing, failing]) {
    const json = JSON.parse(jsonReport(written));
    expect(verificationSchema.parse(json)).toEqual(json);
    const [line] = jsonLinesReport(written).split('\n').map(tryJson);
    expect(linkRecordSchema.parse(line)).toEqual(line);
  }
});

function tryJson(line: string): unknown {
  return line === '' ? undefined : JSON.parse(line);
}

test('fields and probes that were added later are passed over', () => {
  const later = fromLater(MIXED) as typeof MIXED;
  const [, half] = later.links;
  half?.probes?.push({ ...half.probes[0], name: 'added-later' } as never);
  const whole = readVerification([{ source: 'later', text: JSON.stringify(later) }]);
  expect(whole.links.map(({ name, stages }) => [name, stages.length])).toEqual(
    MIXED.links.map(({ name, stages }) => [name, stages.length]),
  );
  expect(whole.links[1]?.probes?.at(-1)?.name).toBe('added-later');
  expect(textReport(whole, { isVerbose: true })).toContain('added-later');
  const lines = later.links.map((one) => JSON.stringify(linkRecord(later.startedAt, one)));
  expect(readVerification([{ source: 'later', text: lines.join('\n') }]).links).toEqual(
    whole.links,
  );
});

test.each([
  'verification',
  'link-verification',
])('the published schema of a %s takes fields that are added later', async (name) => {
  const text = await readFile(`dist/verify/${name}.schema.json`, 'utf8');
  expect(JSON.parse(text)).toMatchObject({
    type: 'object',
    properties: { schema: { const: expect.stringMatching(/^secure-connectivity\/.*@1$/) } },
  });
  expect(text).not.toContain('"additionalProperties": false');
});

test('JSON lines have one complete record for each link', () => {
  const lines = jsonLinesReport(MIXED).trimEnd().split('\n');
  const records = lines.map((line) => linkRecordSchema.parse(JSON.parse(line)));
  expect(records.map(({ name }) => name)).toEqual(['api', 'half-dead', 'no-name']);
  expect(records[0]).toMatchObject({ startedAt: MIXED.startedAt, verdict: 'reachable' });
});

test('lines of several parts, put after one another, make the report of the whole', () => {
  const parts = [verificationOf(GOOD_LINK), verificationOf(HALF_DEAD, NO_NAME)];
  const text = parts.map(jsonLinesReport).join('');
  const whole = readVerification([{ source: 'all', text }]);
  expect(whole.links).toEqual(MIXED.links);
  expect(whole).toMatchObject({
    verdict: 'unreachable',
    startedAt: MIXED.startedAt,
    elapsedMs: HALF_DEAD.elapsedMs,
    skewMs: -1500,
  });
  expect(verificationSchema.parse(whole)).toEqual(whole);
});

test('a JSON report is read back as it was', () => {
  expect(readVerification([{ source: 'one', text: jsonReport(MIXED) }])).toEqual(MIXED);
});

test('reports of which one was of a strict run are judged as strictly together', () => {
  const strict = { name: '--strict', source: 'command line', value: 'true' };
  const other = { name: '--timeout', source: 'command line', value: '5' };
  const texts = [
    { ...MIXED, settings: [other] },
    { ...MIXED, settings: [other, strict] },
  ];
  const sources = texts.map((one, i) => ({ source: `${i}`, text: jsonReport(one) }));
  expect(readVerification(sources).settings).toEqual([strict]);
  expect(readVerification(sources.slice(0, 1).concat(sources.slice(0, 1))).settings).toEqual([]);
});

test('a report of another version, or one that breaks off, is named as such; a byte order mark is passed over', () => {
  const text = jsonReport(MIXED);
  const read = (changed: string) => readVerification([{ source: 'report.json', text: changed }]);
  expect(read(`\ufeff${text}`)).toEqual(MIXED);
  expect(() => read(text.replace('verification@1', 'verification@2'))).toThrow(
    /with a `schema` that this version reads, .*, got: secure-connectivity\/verification@2; report it by the version that wrote it/,
  );
  expect(() => read(text.slice(0, 500))).toThrow(
    'report.json must be a report that `verify --format json` wrote, got: text that is not JSON, or is nested too deeply; it may break off',
  );
});

test('a line that is no result is named', () => {
  const text = `${jsonLinesReport(verificationOf(GOOD_LINK))}\n{"schema":"other"}\n`;
  expect(() => readVerification([{ source: 'results.jsonl', text }])).toThrow(
    /^results\.jsonl line 3 must be a result that `verify --format jsonl` wrote, got: `schema`/,
  );
  expect(() => readVerification([{ source: 'empty', text: '\n' }])).toThrow(/at least one result/);
});
