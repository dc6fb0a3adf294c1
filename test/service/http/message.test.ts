import { expect, test } from 'vitest';
import { logIdOf, oddRetryAfter, readRetryAfter } from '../../../src/service/http/message.js';

const NOW = Date.parse('2025-11-21T00:00:00Z');
const DATE = { date: 'Fri, 21 Nov 2025 01:00:00 GMT' };

test.each<[header: string | undefined, headers: Record<string, string>, seconds?: number]>([
  [undefined, {}],
  ['', {}],
  ['0', {}, 0],
  ['7', {}, 7],
  ['-7', {}],
  ['1e9', {}],
  ['100000000000', {}, 1_000_000_000],
  ['9'.repeat(400), {}, 1_000_000_000],
  ['soon', {}],
  ['2025', DATE, 2025],
  ['Fri, 21 Nov 2025 00:00:30 GMT', {}, 30],
  ['Friday, 21-Nov-25 00:00:30 GMT', {}, 30],
  ['Fri Nov 21 00:00:30 2025 GMT', {}, 30],
  ['Thu, 20 Nov 2025 23:00:00 GMT', {}, 0],
  ['Fri, 31 Dec 9999 23:59:59 GMT', {}, 1_000_000_000],
  // By the clock of the service, which is an hour ahead, it is only ten seconds.
  ['Fri, 21 Nov 2025 01:00:10 GMT', DATE, 10],
  ['Fri, 21 Nov 2025 00:00:30 GMT', { date: 'nonsense' }, 30],
])('Retry-After "%s" beside %j asks for %s seconds', (header, headers, seconds) => {
  const all = { ...headers, ...(header !== undefined && { 'retry-after': header }) };
  expect(readRetryAfter({ headers: all, receivedAt: NOW })).toBe(seconds);
  const odd =
    header === undefined || seconds !== undefined ? undefined : `not readable: "${header}"`;
  expect(oddRetryAfter({ headers: all, receivedAt: NOW })).toBe(odd);
});

test.each([
  [
    'of the body before that of the header',
    'of-header',
    { detail: { logid: 'of-body' } },
    'of-body',
  ],
  ['of the header where the body has none', 'of-header', { detail: {} }, 'of-header'],
  ['of an older body where nothing else has one', undefined, { logid: 'older' }, 'older'],
])('takes the log ID %s', (_, header, json, expected) => {
  const headers = header === undefined ? {} : { 'x-tt-logid': header };
  expect(logIdOf({ headers, json } as never)).toBe(expected);
});
