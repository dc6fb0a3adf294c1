import { expect, test } from 'vitest';
import { Secret } from '../../../src/codes/secret.js';
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
