import { expect, test } from 'vitest';
import { checkIntents, requireEnvironments } from '../../src/intents/read-intents.js';

const ORDERS = { name: 'it', from: 'internet', to: 'orders', expect: 'closed' } as const;

const check = (intent: object, more: object = {}) =>
  checkIntents({ intents: [{ ...ORDERS, ...intent }], ...more }, 'intents.json');

test.each<[string, object, object, RegExp]>([
  ['host bits', { from: '10.0.0.1/8' }, {}, /`from of "it"` has host bits.*10\.0\.0\.0\/8/],
  ['host bits behind `not`', { from: { not: ['10.0.0.1/8'] } }, {}, /host bits/],
  ['host bits elsewhere', { from: '10.0.0.1/8', environments: ['live'] }, {}, /host bits/],
  ['an IPv4-mapped address', { to: '::ffff:10.0.0.1' }, {}, /IPv4-mapped.*10\.0\.0\.1/],
  ['a mask that is too long', { from: '2001:db8::/129' }, {}, /not 0 to 128/],
  ['a mask that is missing', { from: '10.0.0.0/' }, {}, /mask/],
  ['a number that is none', { from: '10.0.0.256' }, {}, /from of "it"/],
  ['host bits in a name', {}, { names: { ours: ['10.0.0.1/8'] } }, /`names.ours` has host bits/],
  ['a name that is an address', {}, { names: { '10.0.0.0/8': ['internet'] } }, /not rename/],
  ['host bits of workloads', {}, { workloads: ['10.0.0.1/8'] }, /`workloads` has host bits/],
  ['a name for workloads', {}, { workloads: ['office'] }, /`workloads` .*got: "office"/],
  ['port 0', { port: 0 }, {}, /port` must be at least 1/],
  ['port 65536', { port: 65_536 }, {}, /port` must be at most 65535/],
  ['ports from 0', { port: '0-80' }, {}, /must be ports such as "8000-8100"/],
  ['ports in reverse', { port: '90-80' }, {}, /must be ports such as "8000-8100"/],
  ['a name of a port', { port: 'https' }, {}, /must be ports such as "8000-8100"/],
  ['a protocol that nobody has', { protocol: 'http' }, {}, /protocol/],
  ['a protocol of another case', { protocol: 'TCP' }, {}, /protocol/],
  ['a port of icmp', { protocol: 'icmp', port: 8 }, {}, /only with tcp or udp/],
  ['no environment', { environments: [] }, {}, /environments/],
  ['names twice', {}, { intents: [ORDERS, { ...ORDERS, to: 'tickets' }] }, /different names/],
  [
    'a day that is none',
    { exception: { reason: 'a', owner: 'b', expires: '2026-02-30' } },
    {},
    /day/,
  ],
  ['a field of another program', { canary: '10.0.0.1:443' }, {}, /canary/],
])('%s is refused', (_, intent, more, message) => {
  expect(() => check(intent, more)).toThrow(
    expect.objectContaining({
      code: 'usage.invalid',
      message: expect.stringMatching(message),
    }),
  );
});

test('an environment that there is not is refused, for its intents would apply nowhere', () => {
  const given = check({ environments: ['live', 'prodution'] });
  expect(() => requireEnvironments(given, ['live', 'production'])).toThrow(
    '`environments` of "it" must be of live, production, got: "prodution"',
  );
  requireEnvironments(given, ['live', 'prodution']);
});
