import { describe, expect, test } from 'vitest';
import type { AccessRule } from '../../src/access/access-rule.js';
import { markedRules } from '../../src/review/diagram/drawn-rules.js';
import { mermaidDiagram } from '../../src/review/diagram/mermaid.js';
import { from, stackOf, treeOf } from './trees.js';

const addresses = (count: number): AccessRule[] =>
  Array.from({ length: count }, (_, i) =>
    from(`36.1.${i}.7/32`, { via: 'fixed-ip-egress', direction: 'egress', subject: 'agents' }),
  );

const draw = (rules: readonly AccessRule[], stack = 'api-access') =>
  mermaidDiagram(markedRules(treeOf(stackOf(rules, {}, stack))));

/** The names that a reader of the drawing meets. */
function partsOf(text: string) {
  const lines = text.split('\n').map((line) => line.trim());
  const nodes = lines.flatMap((line) => {
    const [, id, label] = /^(n\d+)[[({]+"(.*)"[\])}]+(?::::\w+)?$/.exec(line) ?? [];
    return id === undefined || label === undefined ? [] : [{ id, lines: label.split('<br/>') }];
  });
  const edges = lines.flatMap((line) => {
    const [, start, label = '', end] = /^(n\d+) -->(?:\|"(.*)"\| )? ?(n\d+)$/.exec(line) ?? [];
    return start === undefined || end === undefined ? [] : [{ start, label, end }];
  });
  return { lines, nodes, edges };
}

function expectLegible(text: string, most: number): void {
  const { lines, nodes, edges } = partsOf(text);
  expect(lines[0]).toBe('flowchart LR');
  expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
  expect(nodes.length).toBeLessThanOrEqual(most);
  for (const node of nodes) {
    expect(node.lines.length).toBeLessThanOrEqual(6);
    for (const line of node.lines) expect(line.length).toBeLessThanOrEqual(48);
  }
  for (const { start, end } of edges) {
    expect(nodes.map(({ id }) => id)).toEqual(expect.arrayContaining([start, end]));
  }
  expect(lines.filter((line) => line.includes('-->')).length).toBe(edges.length);
  expect(edges.length).toBeLessThanOrEqual(2 * most);
}

describe('legible', () => {
  test('with 24 addresses, which are one node', () => {
    const text = draw(addresses(24));
    expectLegible(text, 4);
    expect(text).toContain(
      '"24 addresses<br/>36.1.0.7<br/>36.1.1.7<br/>36.1.2.7<br/>… and 21 more"',
    );
  });

  test('with two stacks and all options', () => {
    const api = stackOf([...addresses(24), from('10.0.0.0/8'), from('192.168.0.0/16')]);
    const plugin = (via: AccessRule['via'], peer: AccessRule['peer']): AccessRule => ({
      ...from('10.0.0.0/8', { via, subject: 'tickets' }),
      peer,
    });
    const plugins = stackOf(
      [
        plugin('plugin-endpoint-service', { kind: 'account', account: '2100000001' }),
        plugin('plugin-endpoint-service', { kind: 'endpoint', endpoint: 'ep-1' }),
        plugin('plugin-endpoint-service', { kind: 'cidr', cidr: '100.64.0.0/10' }),
        plugin('fixed-ip-ingress', { kind: 'cidr', cidr: '36.2.3.4/32' }),
      ],
      {},
      'plugin-access',
    );
    const text = mermaidDiagram(markedRules(treeOf(api, plugins)));
    expectLegible(text, 14);
    expect(text).toContain('subgraph stack0["api-access"]');
    expect(text).toContain('subgraph stack1["plugin-access"]');
    expect(text).toContain('{{"enforced elsewhere<br/>agents"}}');
    expect(text).toContain('(["endpoint service<br/>tickets"])');
    expect(text.match(/AI-agent service/g)).toHaveLength(1);
  });
});

test('counts addresses, though neighbours are drawn together', () => {
  const neighbours = ['36.1.1.1', '36.1.1.2', '36.1.1.3', '36.9.9.9'].map((address) =>
    from(`${address}/32`, { via: 'fixed-ip-egress', direction: 'egress' }),
  );
  const text = mermaidDiagram(markedRules(treeOf(stackOf(neighbours))));
  expect(text).toContain('"4 addresses<br/>36.1.1.1, 36.1.1.2, 36.1.1.3<br/>36.9.9.9"');
});

test('draws the whole way: networks, endpoint, service', () => {
  const { nodes, edges } = partsOf(draw([from('10.0.0.0/8')]));
  const named = (id: string) => nodes.find((node) => node.id === id)?.lines.join(' ');
  expect(edges.map(({ start, label, end }) => [named(start), label, named(end)])).toEqual([
    ['network 10.0.0.0/8', 'tcp 443', 'endpoint endpoint'],
    ['endpoint endpoint', '', 'AI-agent service'],
  ]);
});

describe('what is not the service is drawn apart from it', () => {
  const plugin = (peer: AccessRule['peer'], exception?: AccessRule['exception']): AccessRule => ({
    ...from('10.0.0.0/8', { via: 'plugin-endpoint-service', subject: 'orders' }),
    peer,
    ...(exception && { exception }),
  });
  const ownAccount = plugin({ kind: 'account', account: '2100000001' });
  const connection = plugin({ kind: 'endpoint', endpoint: 'ep-1' });
  const foreign = plugin(
    { kind: 'account', account: '2100000099' },
    { reason: 'a test account', owner: 'platform', expires: '2031-01-01' },
  );

  /** Names of what an arrow joins with the service. */
  function besideService(text: string): string[] {
    const { nodes, edges } = partsOf(text);
    const service = nodes.find(({ lines }) => lines[0] === 'AI-agent service')?.id;
    return edges
      .filter(({ start, end }) => start === service || end === service)
      .map(({ start, end }) => nodes.find(({ id }) => id !== service && [start, end].includes(id)))
      .map((node) => node?.lines.join(' ') ?? '')
      .sort();
  }

  test('a name server, with no arrow to the service', () => {
    const dns = (['udp', 'tcp'] as const).map((protocol) =>
      from('10.20.0.2/32', {
        ...{ via: 'fixed-ip-egress', direction: 'egress', subject: 'agents' },
        protocol,
        ports: { first: 53, last: 53 },
      }),
    );
    const text = draw([...addresses(1), ...dns]);
    expect(text).toContain('("name server<br/>10.20.0.2")');
    expect(besideService(text)).toEqual(['address 36.1.0.7']);
  });

  test('an account that only an exception lets in, and then every connection', () => {
    expect(besideService(draw([ownAccount, connection]))).toEqual([
      'account 2100000001',
      'connection ep-1',
    ]);
    const text = draw([ownAccount, connection, foreign]);
    expect(text).toContain('[["foreign account<br/>2100000099"]]');
    expect(besideService(text)).toEqual(['account 2100000001']);
  });

  test('nobody, where the service is not a part of the drawing', () => {
    expect(draw([foreign])).not.toContain('AI-agent service');
  });
});

test('marks what came and went, by sign and by style', () => {
  const text = mermaidDiagram(
    markedRules(
      treeOf(stackOf([from('10.0.0.0/24'), from('10.3.0.0/24')])),
      treeOf(stackOf([from('10.0.0.0/24'), from('10.9.0.0/24')])),
    ),
  );
  expectLegible(text, 5);
  expect(text).toMatch(/"network<br\/>10\.3\.0\.0\/24"\]:::added/);
  expect(text).toMatch(/"network<br\/>10\.9\.0\.0\/24"\]:::removed/);
  expect(text).toContain('|"+ tcp 443"|');
  expect(text).toContain('|"− tcp 443"|');
  expect(text.match(/linkStyle \d+/g)).toHaveLength(2);
});

test('is the same for the same rules in any order', () => {
  const rules = [...addresses(7), from('10.0.0.0/8')];
  expect(draw(rules.toReversed())).toBe(draw(rules));
});

test('lets no text become syntax', () => {
  const subject = 'a"]; click n0 href "javascript:x" <b> `x` #quot;';
  const text = draw([from('10.0.0.0/8', { subject })], 's"] end');
  expectLegible(text.replaceAll(/#\d+;/g, ''), 3);
  expect(text).not.toMatch(/click n0 href "|<b>/);
});

describe('names what lets packets through', () => {
  const resources = {
    volcenginecc_vpc_security_group: {
      group: {
        egress_permissions: [
          {
            policy: 'accept',
            priority: 1,
            protocol: 'tcp',
            port_start: 443,
            port_end: 443,
            cidr_ip: '36.1.0.7/32',
          },
          {
            policy: 'accept',
            priority: 1,
            protocol: 'tcp',
            port_start: 443,
            port_end: 443,
            cidr_ip: '8.8.8.8/32',
          },
          ...['0.0.0.0/0', '::/0'].map((cidr_ip) => ({
            policy: 'drop',
            priority: 100,
            protocol: 'all',
            port_start: -1,
            port_end: -1,
            cidr_ip,
          })),
        ],
        ingress_permissions: [],
      },
    },
    volcenginecc_vpc_prefix_list: { list: { prefix_list_entries: [{ cidr: '36.1.0.7/32' }] } },
  };
  const carriers = ['volcenginecc_vpc_security_group.group'];
  const rules = addresses(1).map((rule) => ({ ...rule, carriers }));
  const text = mermaidDiagram(markedRules(treeOf(stackOf(rules, { resource: resources }))));
  const { nodes, edges } = partsOf(text);
  const named = (id: string) => nodes.find((node) => node.id === id)?.lines.join(' ');
  const arrows = edges.map(({ start, end }) => `${named(start)} > ${named(end)}`);

  test('a security group is no firewall', () => {
    expect(arrows).toContain('workloads agents > security group agents');
    expect(text).not.toContain('firewall');
  });

  test('a list that nobody here refers to is drawn by nobody', () => {
    expect(text).not.toContain('prefix list');
  });

  test('an address that no access rule states is not the service', () => {
    expect(arrows).toContain('address 36.1.0.7 > AI-agent service');
    expect(arrows).toContain('security group agents > address 8.8.8.8');
    expect(arrows).not.toContain('address 8.8.8.8 > AI-agent service');
  });
});
