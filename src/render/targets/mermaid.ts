import { type DrawnNode, type DrawnRule, layOut } from './mermaid-layout.js';

/**
 * Who may talk to whom, in any number of stacks, as one Mermaid flowchart, which pull requests show as
 * a drawing.
 */
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
      ? [`  classDef added ${STYLE.added}`, `  classDef removed ${STYLE.removed}`]
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

const SHAPES: Readonly<Record<DrawnNode['shape'], readonly [open: string, close: string]>> = {
  network: ['["', '"]'],
  endpoint: ['(["', '"])'],
  firewall: ['{{"', '"}}'],
  service: ['[("', '")]'],
  workload: ['["', '"]'],
  'foreign-account': ['[["', '"]]'],
  'name-server': ['("', '")'],
};

function nodeLine(node: DrawnNode): string {
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
