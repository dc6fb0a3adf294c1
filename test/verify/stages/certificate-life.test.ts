import { expect, test } from 'vitest';
import { reasonOf } from '../../../src/codes/codes.js';
import { exitOf } from '../../../src/verify/model/verdict.js';
import { textReport } from '../../../src/verify/reports/text-report.js';
import { LOG_ID, TOKEN } from '../../support/service-server.js';
import { check, createWorld, findingOf, outline } from '../../support/verifiable-link.js';

const DAY_MS = 86_400_000;

test.each([
  ['28 days before the end of a year', { fromDays: -336, toDays: 28.5 }, 28],
  ['a day before the end of a week', { fromDays: -5, toDays: 1.5 }, 1],
  ['on its last day', { fromDays: -336, toDays: 0.5 }, 0],
])('%s the certificate is warned of, and the link is reachable all the same', async (_, validity, daysLeft) => {
  const verification = await check(await createWorld(validity));
  expect(findingOf(verification, 'tls')).toMatchObject({
    status: 'warned',
    code: 'tls.expired',
    evidence: { daysLeft, issuer: 'Test Authority' },
  });
  expect(outline(verification).filter((line) => !line.endsWith('passed'))).toEqual([
    'tls warned tls.expired',
  ]);
  expect([verification.verdict, exitOf(verification)]).toEqual(['reachable', 0]);
  expect(exitOf(verification, { strict: true })).toBe(21);
  expect(verification.links[0]?.causes).toEqual([]);
  expect(textReport(verification, { width: 400 })).toMatch(
    new RegExp(`remedy[\\s\\S]*until 20..-..-.. +${daysLeft} d left`),
  );
});

test.each([
  ['31 days before the end of a year', { fromDays: -334, toDays: 31 }],
  ['3 days before the end of a week', { fromDays: -4, toDays: 3 }],
])('%s nothing is said', async (_, validity) => {
  const verification = await check(await createWorld(validity));
  expect(findingOf(verification, 'tls')).toMatchObject({ status: 'passed' });
  expect(findingOf(verification, 'tls').evidence).not.toHaveProperty('daysLeft');
});

test('the days are counted by the server’s clock, where it tells the time', async () => {
  const world = await createWorld({ fromDays: -336, toDays: 40.5 });
  const headers = {
    date: new Date(Date.now() + 20 * DAY_MS).toUTCString(),
    'x-tt-logid': LOG_ID,
  };
  world.service.handler = ({ path }) =>
    path.endsWith('/token')
      ? { headers, body: { access_token: TOKEN, expires_in: 900 } }
      : undefined;
  const verification = await check(world);
  const { code, evidence } = findingOf(verification, 'tls');
  expect([code, Number(evidence.daysLeft)]).toEqual(['tls.expired', 20]);
  expect(evidence.seen).toBe('soon');
});

test('a certificate that has ended is expired, not about to', async () => {
  const verification = await check(await createWorld({ fromDays: -10, toDays: -1 }));
  expect(reasonOf(findingOf(verification, 'tls'))).toBe('tls.expired');
  expect(JSON.stringify(verification)).not.toContain('soon');
});
