import { describe, expect, test } from 'vitest';
import { UserIdHeader, type UserIdHeaderProps } from '../../src/constructs/user-id-header.js';
import { synth } from '../support/synth.js';

const guards = [
  { backend: 'orders', callerNetworks: ['100.64.0.0/10'] },
  { backend: 'orders', callerNetworks: ['192.0.2.1/32', '100.64.0.0/10'] },
  { backend: 'tickets', callerNetworks: ['192.0.2.9/32'] },
];

function build(props: Partial<UserIdHeaderProps> = {}) {
  return synth((stack) => {
    new UserIdHeader(stack, 'header', { backend: 'orders', guards, ...props });
  });
}

test('tells the backend from where its guards let calls in', () => {
  const made = build({ trustedProxies: ['10.0.0.0/24'] });
  expect(JSON.parse(made.json.output['header-options']?.value ?? '')).toEqual({
    trustedNetworks: ['100.64.0.0/10', '192.0.2.1/32'],
    trustedProxies: ['10.0.0.0/24'],
  });
});

test('believes a guard in one’s own words, on a plan without private and fixed-IP plugins', () => {
  const gateway = {
    backend: 'orders',
    callerNetworks: ['10.0.0.9/32'],
    description: 'the API gateway lets only calls with the plugin’s own key through',
  };
  const made = build({ guards: [gateway] });
  expect(JSON.parse(made.json.output['header-options']?.value ?? '')).toEqual({
    trustedNetworks: ['10.0.0.9/32'],
    trustedProxies: [],
  });
});

describe('refuses', () => {
  test.each<[string, Partial<UserIdHeaderProps>, string]>([
    [
      'a backend that another guard guards',
      { backend: 'billing' },
      '`backend` must be one that a private plugin, a fixed-IP plugin or your own guard protects (orders, orders, tickets), got: "billing"; the header is unsigned, so any client that reaches the backend can forge it',
    ],
    [
      'a guard that lets everyone through',
      { guards: [{ backend: 'orders', callerNetworks: ['0.0.0.0/0'], description: 'none' }] },
      '`guards.callerNetworks` must not be every address, got: "0.0.0.0/0"',
    ],
    [
      'a guard without a word',
      { guards: [{ backend: 'orders', callerNetworks: ['10.0.0.9/32'], description: ' ' }] },
      '`guards.description` must say why nobody but the service gets through',
    ],
    ['a backend without any guard', { guards: [] }, 'guard protects (none is), got: "orders"'],
    [
      'a proxy network with host bits',
      { trustedProxies: ['10.0.0.1/24'] },
      '`trustedProxies` has host bits set; the network is 10.0.0.0/24, got: "10.0.0.1/24"',
    ],
    [
      'every address as proxy',
      { trustedProxies: ['0.0.0.0/0'] },
      '`trustedProxies` must not be every address, got: "0.0.0.0/0"',
    ],
  ])('%s', (_, props, message) => {
    expect(() => build(props)).toThrow(message);
  });
});
