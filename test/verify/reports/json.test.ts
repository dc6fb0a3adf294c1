import { expect, test } from 'vitest';
import { z } from 'zod';
import { linkRecordSchema } from '../../../src/verify/many/link-record.js';
import { jsonReport } from '../../../src/verify/reports/json.js';
import { jsonLinesReport } from '../../../src/verify/reports/json-lines.js';
import { readVerification } from '../../../src/verify/reports/read-verification.js';
import { verificationSchema } from '../../../src/verify/verification.js';
import { check, createWorld } from '../../support/verifiable-link.js';
import { GOOD_LINK, HALF_DEAD, MIXED, NO_NAME, verificationOf } from './samples.js';

test('the JSON report is the result itself, and its schema is one for other programs too', () => {
  expect(JSON.parse(jsonReport(MIXED))).toEqual(MIXED);
  const schema = z.toJSONSchema(verificationSchema);
  expect(schema).toMatchObject({
    type: 'object',
    additionalProperties: false,
    properties: { schema: { const: 'secure-connectivity/verification@1' } },
  });
});

test('a report of a real run follows the schema', async () => {
  const verification = await check(await createWorld());
  expect(verificationSchema.parse(JSON.parse(jsonReport(verification)))).toEqual(verification);
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

test('a line that is no result is named', () => {
  const text = `${jsonLinesReport(verificationOf(GOOD_LINK))}\n{"schema":"other"}\n`;
  expect(() => readVerification([{ source: 'results.jsonl', text }])).toThrow(
    /^results\.jsonl line 3 must be a result that `verify --format jsonl` wrote, got: `schema`/,
  );
  expect(() => readVerification([{ source: 'empty', text: '\n' }])).toThrow(/at least one result/);
});
