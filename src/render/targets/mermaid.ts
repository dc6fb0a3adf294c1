import type { AccessModel } from '../../access/access-model.js';
import type { Peer } from '../../access/access-rule.js';
import { parseCidr } from '../../net/cidr.js';
import type { Target } from '../model.js';
import { type DrawnRule, layOut } from './mermaid-layout.js';

export type { DrawnRule } from './mermaid-layout.js';

/** Who may talk to whom as a Mermaid flowchart, which pull requests show as a drawing. */
export const mermaid: Target = {
  name: 'mermaid',
  render: (model: AccessModel): string => mermaidDiagram(drawnRules(model)),
};

/** One flowchart of the rules of any number of stacks. */
export function mermaidDiagram(rules: readonly DrawnRule[]): string {
  const { stacks, nodes, edges } = layOut(rules);
  const styled = edges.flatMap(({ mark }, i) =>
    mark === 'kept' ? [] : [`  linkStyle ${i} ${STYLE[mark]}`],
  );
  const lines = [
    'flowchart LR',
    ...stacks.flatMap((stack, i) => [
      `  subgraph stack${i}["${labelText(stack)}"]`,
      ...nodes.filter((node) => node.stack === stack).map((node) => `    ${nodeLine(node)}`),
      '  end',
    ]),
    ...nodes.filter((node) => node.stack === undefined).map((node) => `  ${nodeLine(node)}`),
    ...edges.map(({ from, to, label, mark }) =>
      label === ''
        ? `  ${from} --> ${to}`
        : `  ${from} -->|"${labelText(MARKS[mark] + label)}"| ${to}`,
    ),
    ...styled,
    ...(styled.length > 0
      ? [
          '  classDef added stroke:#1a7f37,stroke-width:3px',
          '  classDef removed stroke:#cf222e,stroke-dasharray:5',
        ]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Signs beside the colours, for those who do not see them. */
const MARKS = { kept: '', added: '+ ', removed: '− ' } as const;

const STYLE = {
  added: 'stroke:#1a7f37,stroke-width:3px',
  removed: 'stroke:#cf222e,stroke-dasharray:5',
} as const;

const SHAPES = {
  network: ['["', '"]'],
  endpoint: ['(["', '"])'],
  firewall: ['{{"', '"}}'],
  service: ['[("', '")]'],
  workload: ['["', '"]'],
} as const;

function nodeLine(node: {
  readonly id: string;
  readonly shape: keyof typeof SHAPES;
  readonly lines: readonly string[];
  readonly mark: DrawnRule['mark'];
}): string {
  const [open, close] = SHAPES[node.shape];
  const style = node.mark === 'kept' ? '' : `:::${node.mark}`;
  return `${node.id}${open}${node.lines.map(labelText).join('<br/>')}${close}${style}`;
}

/** Mermaid's own entities, so that no text can end its label or become markup. */
function labelText(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/["#&<>`\\|[\]{}();]/g, (sign) => `#${sign.charCodeAt(0)};`);
}

function drawnRules({ stack, rules }: AccessModel): DrawnRule[] {
  return rules.map(({ via, direction, subject, peer, protocol, ports }) => ({
    stack,
    via,
    direction,
    subject,
    peer: { kind: peer.kind, text: peerText(peer), ...sizeOf(peer) },
    services:
      protocol === 'tcp' || protocol === 'udp'
        ? `${protocol} ${ports.first === ports.last ? ports.first : `${ports.first}–${ports.last}`}`
        : protocol === 'any'
          ? 'every protocol and port'
          : protocol,
    mark: 'kept',
  }));
}

function sizeOf(peer: Peer) {
  if (peer.kind !== 'cidr') return {};
  const { first, last } = parseCidr(peer.cidr);
  return { addresses: last - first + 1n };
}

function peerText(peer: Peer): string {
  switch (peer.kind) {
    case 'cidr':
      return peer.cidr.replace(/\/(32|128)$/, '');
    case 'account':
      return peer.account;
    case 'endpoint':
      return peer.endpoint;
    case 'group':
      return peer.group;
  }
}
