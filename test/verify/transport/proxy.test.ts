import { expect, test } from 'vitest';
import { readProxy } from '../../../src/verify/transport/proxy/proxy.js';

test.each([
  ['http://user:100%@proxy.example:3128', 'user:100%'],
  ['http://user:a%20b%zz%E4@proxy.example:3128', 'user:a b%zz%E4'],
  ['http://us%C3%A9r:p@proxy.example:3128', 'usér:p'],
])('the credentials of %s are read', (text, credentials) => {
  expect(readProxy(text)?.credentials?.reveal()).toBe(credentials);
});
