import { describe, expect, test } from 'vitest';
import { checkIntents } from '../../../src/intents/read-intents.js';
import { type Json, list, object } from '../../../src/reach/read/json.js';
import { judge, type PlainStack, synthesizeShipped } from './trees.js';

const { stacks } = synthesizeShipped('production');
const { stacks: sandbox } = synthesizeShipped('sandbox');

/** The answer for one sentence: its verdict, and what it says. */
function ask(intent: Json, of: readonly PlainStack[] = stacks, more: Json = {}) {
  const [answer] = judge(of, [{ name: 'it', ...intent }], more);
  const { verdict = '', packet = '', rules = [], depends = [] } = answer ?? {};
  return { verdict, packet, rules: rules.map(({ rule }) => rule), depends };
}

/** The stacks with the bodies of one type changed. */
function changed(type: string, change: (body: Json) => Json, of = stacks): PlainStack[] {
  return of.map((stack) => {
    const resource = object(stack.json.resource);
    const bodies = Object.entries(object(resource[type])).map(([name, body]) => [
      name,
      change(object(body)),
    ]);
    return {
      ...stack,
      json: { ...stack.json, resource: { ...resource, [type]: Object.fromEntries(bodies) } },
    };
  });
}

test('reachable means all of it', () => {
  const intent = { to: 'service-endpoint', port: 443, expect: 'reachable' };
  expect(ask({ from: '10.30.0.0/16', ...intent }).verdict).toBe('holds');
  expect(ask({ from: ['10.30.1.0/24', '10.30.9.9'], ...intent }).verdict).toBe('holds');
  expect(ask({ from: '10.30.0.0/15', ...intent })).toMatchObject({
    verdict: 'broken',
    packet: '10.31.0.1 → agent-service:443',
    rules: ['rule 2 of 3 for 0.0.0.0/0, drop at priority 100: closed but for the rules above'],
  });
  expect(ask({ from: '10.30.0.0/16', ...intent, port: [443, '8000-8001'] }).packet).toBe(
    '10.30.0.1 → agent-service:8000',
  );
});

test('closed means none of it, in both families', () => {
  const intent = { to: 'agent-service', expect: 'closed' };
  expect(ask({ from: { not: ['10.30.0.0/16'] }, ...intent }).verdict).toBe('holds');
  expect(ask({ from: 'internet', ...intent }).verdict).toBe('holds');
  expect(ask({ from: { not: '10.30.1.0/24' }, ...intent })).toMatchObject({
    verdict: 'broken',
    packet: '10.30.0.1 → agent-service:443',
    rules: [
      'rule 1 of 3 for 10.30.0.0/16 on tcp 443, accept at priority 10: calls to the service through its endpoint',
    ],
  });
  const open = changed(
    'volcenginecc_vpc_security_group',
    ({ ingress_permissions: rules, ...body }) => ({
      ...body,
      ingress_permissions: [
        ...list(rules),
        {
          cidr_ip: '2001:db8::/32',
          policy: 'accept',
          priority: 1,
          protocol: 'udp',
          port_start: 53,
          port_end: 53,
        },
      ],
    }),
  );
  expect(ask({ from: { not: '10.30.0.0/16' }, ...intent }, open).packet).toBe(
    '2001:db8::1 → agent-service:53 (udp)',
  );
});

test('the service is whoever the stack states, through each option in its way', () => {
  const only = { from: { not: ['service'] }, to: 'orders', expect: 'closed' };
  expect(ask(only).verdict).toBe('holds');
  expect(ask({ from: 'service', to: 'orders', port: 80, expect: 'reachable' }).verdict).toBe(
    'holds',
  );
  expect(
    ask({ from: { account: '2100000002' }, to: 'orders', port: 80, expect: 'reachable' }).packet,
  ).toBe('account 2100000002 → orders:80');
  const anyone = changed('volcenginecc_privatelink_endpoint_service', (body) => ({
    ...body,
    permit_account_ids: ['2100000001', '2100000009'],
  }));
  expect(ask(only, anyone).packet).toBe('account 2100000009 → orders:80');
  const nobody = changed('volcenginecc_privatelink_endpoint_service', (body) => ({
    ...body,
    permit_account_ids: [],
  }));
  expect(ask({ from: 'service', to: 'orders', port: 80, expect: 'reachable' }, nobody).packet).toBe(
    'account 2100000001 → orders:80',
  );
  expect(
    ask({ from: { not: ['service'] }, to: 'tickets', expect: 'closed' }, sandbox).verdict,
  ).not.toBe('undecided');
});

test('workloads as callers have the networks that the file lists for the check', () => {
  const intent = { from: 'workloads', to: 'service-endpoint', port: 443, expect: 'reachable' };
  expect(ask(intent).verdict).toBe('undecided');
  expect(ask(intent, stacks, { workloads: ['10.30.1.0/24'] }).verdict).toBe('holds');
  expect(ask(intent, stacks, { workloads: ['10.31.0.0/16'] })).toMatchObject({
    verdict: 'broken',
    packet: '10.31.0.1 → agent-service:443',
  });
  const others = { ...intent, from: { not: ['workloads'] }, expect: 'closed' };
  expect(ask(others, stacks, { workloads: ['10.30.0.0/16'] }).verdict).toBe('holds');
});

test('workloads leave as all groups do that carry them', () => {
  const leave = { from: 'workloads', to: { not: ['service', '10.0.0.53/32'] }, expect: 'closed' };
  expect(ask(leave).verdict).toBe('holds');
  expect(ask({ from: 'workloads', to: 'service', port: 443, expect: 'reachable' }).verdict).toBe(
    'holds',
  );
  expect(ask({ from: 'workloads', to: '1.1.1.1', port: 443, expect: 'reachable' }).packet).toBe(
    'agent-service-api → 1.1.1.1:443',
  );
  const open = changed(
    'volcenginecc_vpc_security_group',
    ({ egress_permissions: rules, ...body }) => ({
      ...body,
      egress_permissions: [
        ...list(rules),
        {
          cidr_ip: '0.0.0.0/0',
          policy: 'accept',
          priority: 1,
          protocol: 'udp',
          port_start: 53,
          port_end: 53,
        },
      ],
    }),
  );
  expect(ask(leave, open).verdict).toBe('broken');
});

test('a file gives names of its own, and says what the service is', () => {
  const names = { branches: ['10.30.0.0/17', '10.30.128.0/17'], service: ['36.110.186.29'] };
  const to = { to: 'service-endpoint', port: 443 };
  expect(ask({ from: 'branches', ...to, expect: 'reachable' }, stacks, { names }).verdict).toBe(
    'holds',
  );
  const leave = { from: 'workloads', to: { not: ['service'] }, expect: 'closed' };
  expect(ask(leave, stacks, { names }).packet).toBe('agent-service-api → 36.110.186.35:443');
});

describe('what no file says is not decided', () => {
  const nobodyElse = { from: { not: ['10.30.0.0/16'] }, to: 'agent-service', expect: 'closed' };

  test('the members of a group', () => {
    const open = changed(
      'volcenginecc_vpc_security_group',
      ({ ingress_permissions: rules, ...body }) => ({
        ...body,
        ingress_permissions: [
          ...list(rules),
          {
            source_group_id: 'sg-other',
            policy: 'accept',
            priority: 1,
            protocol: 'tcp',
            port_start: 443,
            port_end: 443,
          },
        ],
      }),
    );
    expect(ask(nobodyElse, open)).toMatchObject({
      verdict: 'undecided',
      depends: ['Does the address belong to group sg-other?'],
    });
  });

  test('a group that is not in the tree', () => {
    const foreign = changed('volcenginecc_privatelink_vpc_endpoint', (body) => ({
      ...body,
      security_group_ids: [...list(body.security_group_ids), 'sg-other'],
    }));
    expect(ask(nobodyElse, foreign).verdict).toBe('undecided');
  });

  test('a resource that is not modelled, and a module', () => {
    const more = stacks.map((stack) => ({
      ...stack,
      json: { ...stack.json, module: { other: { source: './other' } } },
    }));
    expect(ask(nobodyElse, more)).toMatchObject({
      verdict: 'undecided',
      depends: ['not read: module.other: a module can open anything'],
    });
  });

  test('a group that is gone, of which nothing shows who may call', () => {
    const gone = stacks.map((stack) => ({
      ...stack,
      json: {
        ...stack.json,
        resource: { ...object(stack.json.resource), volcenginecc_vpc_security_group: {} },
      },
    }));
    expect(ask(nobodyElse, gone).verdict).toBe('undecided');
  });
});

test('a name that nothing has, and an end that is empty, are errors', () => {
  const closed = { expect: 'closed' };
  expect(() => ask({ from: 'internet', to: 'billing', ...closed })).toThrow(
    /must be an address or something.*agent-service.*got: "billing"/,
  );
  expect(() => ask({ from: '10.0.0.1/8', to: 'orders', ...closed })).toThrow(/host bits/);
  expect(() => ask({ from: 'internet', to: '10.0.0.1', ...closed })).toThrow(
    /must have an end that the stacks decide at/,
  );
  expect(() => ask({ from: 'service', to: 'service-endpoint', ...closed })).toThrow(
    /which is empty there/,
  );
  const everybody = { not: ['0.0.0.0/0', '::/0'] };
  expect(() => ask({ from: everybody, to: 'service-endpoint', ...closed })).toThrow(
    /which is empty there/,
  );
  expect(ask({ from: everybody, to: 'orders', ...closed }).packet).toBe(
    'account 2100000001 → orders:80',
  );
  for (const wrong of [
    { from: [], to: 'orders', ...closed },
    { from: '', to: 'orders', ...closed },
    { from: { not: [] }, to: 'orders', ...closed },
    { from: 'internet', to: 'orders', port: 0, ...closed },
    { from: 'internet', to: 'orders', port: 80, protocol: 'icmp', ...closed },
    { from: 'internet', to: 'orders', expect: 'open' },
  ]) {
    expect(
      () => checkIntents({ intents: [{ name: 'it', ...wrong }] }, 'test'),
      JSON.stringify(wrong),
    ).toThrow(/holds no intents that can be judged/);
  }
  expect(() => checkIntents({ intents: [] }, 'test')).toThrow(/at least 1 members/);
});

test('an intent of another environment is listed, and not judged', () => {
  const intent = { from: 'internet', to: 'nothing', expect: 'closed', environments: ['live'] };
  expect(ask(intent).verdict).toBe('elsewhere');
});
