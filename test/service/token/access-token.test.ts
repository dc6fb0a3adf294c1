import { expect, test } from 'vitest';
import { Secret } from '../../../src/codes/secret.js';
import type { ServiceResponse } from '../../../src/service/http/message.js';
import { readToken } from '../../../src/service/token/access-token.js';
import { type AccessToken, TokenCache } from '../../../src/service/token/token-cache.js';

function token(lifetimeSeconds: number): AccessToken {
  return { value: new Secret('czs_x'), expiresAt: 2e9, lifetimeSeconds };
}

test('a token is given out until a minute before its end, counted from when it was asked for', () => {
  let now = 1_000_000;
  const cache = new TokenCache(() => now);
  const given = token(900);
  cache.keep('a', given, now);
  now += 839_999;
  expect(cache.get('a')).toBe(given);
  expect(cache.get('b')).toBeUndefined();
  now += 1;
  expect(cache.get('a')).toBeUndefined();
});

test('a short token is given out for half of its life', () => {
  let now = 0;
  const cache = new TokenCache(() => now);
  cache.keep('a', token(30), now);
  now = 14_999;
  expect(cache.get('a')).toBeDefined();
  now = 15_000;
  expect(cache.get('a')).toBeUndefined();
});

test('a token that was rejected is given out no more', () => {
  const cache = new TokenCache(() => 0);
  cache.keep('a', token(900), 0);
  cache.discard('a');
  expect(cache.get('a')).toBeUndefined();
});

const NOW = 1_800_000_000;

function given(body: object, date = NOW): ServiceResponse {
  return {
    status: 200,
    headers: { date: new Date(date * 1000).toUTCString() },
    text: JSON.stringify(body),
    json: body,
    sentAt: NOW * 1000,
    receivedAt: NOW * 1000,
    isRepeated: false,
  };
}

test.each<[seconds: number, asked: number | undefined, date: number, problem: RegExp | undefined]>([
  [1, undefined, NOW, /in 1 s, and 900 s were asked for/],
  [300, undefined, NOW, /in 300 s, and 900 s/],
  [890, undefined, NOW, undefined],
  [20, 20, NOW, undefined],
  [900, 3_600, NOW, /in 900 s, and 3600 s/],
  // A clock that is wrong shortens no token's life.
  [900, undefined, NOW + 600, undefined],
  [900, undefined, NOW - 600, undefined],
])('a token of %i s where %s s were asked for is told of where it is too short', (seconds, asked, date, problem) => {
  const response = given({ access_token: 'czs_x', expires_in: NOW + seconds }, date);
  const { problems = [] } = readToken(response, asked);
  expect(problems).toEqual(problem === undefined ? [] : [expect.stringMatching(problem)]);
});

test('a token that no usual header holds is told of', () => {
  const body = { access_token: 'x'.repeat(9_000), expires_in: NOW + 900 };
  expect(readToken(given(body)).problems).toEqual([expect.stringMatching(/has 9000 characters/)]);
});
