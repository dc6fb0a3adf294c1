import { describe, expect, test } from 'vitest';
import { accessModel } from '../../src/access/access-model.js';
import type { AccessRule } from '../../src/access/access-rule.js';
import { mermaid, mermaidDiagram } from '../../src/render/targets/mermaid.js';
import { markedRules } from '../../src/review/drawn-rules.js';
import { from, stackOf, treeOf } from './trees.js';

const addresses = (count: number): AccessRule[] =>
  Array.from({ length: count }, (_, i) =>
    from(`36.1.${i}.7/32`, { via: 'fixed-ip', direction: 'egress', subject: 'agents' }),
  );

/** What a reader of the drawing meets. */
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
    const text = mermaid.render(accessModel('api-access', addresses(24)));
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
        plugin('private-plugin', { kind: 'account', account: '2100000001' }),
        plugin('private-plugin', { kind: 'endpoint', endpoint: 'ep-1' }),
        plugin('private-plugin', { kind: 'cidr', cidr: '100.64.0.0/10' }),
        plugin('fixed-ip-plugin', { kind: 'cidr', cidr: '36.2.3.4/32' }),
      ],
      {},
      'plugin-access',
    );
    const text = mermaidDiagram(markedRules(treeOf(api, plugins)));
    expectLegible(text, 14);
    expect(text).toContain('subgraph stack0["api-access"]');
    expect(text).toContain('subgraph stack1["plugin-access"]');
    expect(text).toContain('{{"firewall<br/>agents"}}');
    expect(text).toContain('(["endpoint service<br/>tickets"])');
    expect(text.match(/AI-agent service/g)).toHaveLength(1);
  });
});

test('counts addresses, though neighbours are drawn together', () => {
  const neighbours = ['36.1.1.1', '36.1.1.2', '36.1.1.3', '36.9.9.9'].map((address) =>
    from(`${address}/32`, { via: 'fixed-ip', direction: 'egress' }),
  );
  const text = mermaidDiagram(markedRules(treeOf(stackOf(neighbours))));
  expect(text).toContain('"4 addresses<br/>36.1.1.1, 36.1.1.2, 36.1.1.3<br/>36.9.9.9"');
});

test('draws the whole way: networks, endpoint, service', () => {
  const { nodes, edges } = partsOf(mermaid.render(accessModel('s', [from('10.0.0.0/8')])));
  const named = (id: string) => nodes.find((node) => node.id === id)?.lines.join(' ');
  expect(edges.map(({ start, label, end }) => [named(start), label, named(end)])).toEqual([
    ['network 10.0.0.0/8', 'tcp 443', 'endpoint endpoint'],
    ['endpoint endpoint', '', 'AI-agent service'],
  ]);
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
  const drawn = (all: AccessRule[]) => mermaidDiagram(markedRules(treeOf(stackOf(all))));
  expect(drawn(rules.toReversed())).toBe(drawn(rules));
});

test('lets no text become syntax', () => {
  const subject = 'a"]; click n0 href "javascript:x" <b> `x` #quot;';
  const text = mermaid.render(accessModel('s"] end', [from('10.0.0.0/8', { subject })]));
  expectLegible(text.replaceAll(/#\d+;/g, ''), 3);
  expect(text).not.toMatch(/click n0 href "|<b>/);
});
