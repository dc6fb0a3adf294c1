import { withoutObeyed } from '../files/escape.js';
import { groupBy } from '../lists/group-by.js';
import { type Line, type Mark, type Picture, type Place, SIGNS } from './model.js';

/** Writes a picture as a Mermaid flowchart, which pull requests show as a drawing. */
export function pictureAsMermaid({ places }: Picture): string {
  const drawing: Drawing = { nodes: [], edges: [], marks: [] };
  const stacks = [...groupBy(places, ({ stack }) => stack)];
  const lines = stacks.flatMap(([stack, own], i) => {
    const from = drawing.nodes.length;
    for (const place of own) drawPlace(drawing, place);
    const nodes = drawing.nodes.slice(from).map((node) => `    ${node}`);
    return [`  subgraph stack${i}["${labelText(stack)}"]`, ...nodes, '  end'];
  });
  const styles = drawing.marks.flatMap((mark, i) =>
    mark === 'kept' ? [] : [`  linkStyle ${i} ${STYLE[mark]}`],
  );
  return `${['flowchart LR', ...lines, ...drawing.edges.map((edge) => `  ${edge}`), ...styles].join('\n')}\n`;
}

interface Drawing {
  readonly nodes: string[];
  readonly edges: string[];
  /** The mark of each edge. */
  readonly marks: Mark[];
}

/** A node for the place, for each door and for each line; doors are joined up to where a line gets. */
function drawPlace(drawing: Drawing, place: Place): void {
  const { subject, role, hosts, doors, lines, direction } = place;
  const own = addNode(drawing, ['(["', '"])'], [subject, role, ...hosts.slice(0, 1)]);
  const chain = doors.map(({ word, name }) => addNode(drawing, ['{{"', '"}}'], [word, name]));
  const joined = new Set<string>();
  const joinAll = (passed: readonly string[]) => {
    for (const [i, to] of passed.slice(1).entries()) {
      if (!joined.has(to)) addEdge(drawing, passed[i] ?? own, '-->', to);
      joined.add(to);
    }
  };
  const steps = direction === 'ingress' ? [...chain, own] : [own, ...chain];
  for (const line of lines) {
    const peer = addNode(drawing, ['["', '"]'], [line.label]);
    const { stop } = line;
    if (direction === 'ingress') {
      // What is stopped gets to its door, past those that let it through.
      const first = steps[stop ?? 0] ?? own;
      addEdge(drawing, peer, arrowOf(line), first, line);
      if (stop === undefined) joinAll(steps);
    } else {
      const passed = stop === undefined ? steps : steps.slice(0, stop + 2);
      joinAll(passed);
      addEdge(drawing, passed.at(-1) ?? own, arrowOf(line), peer, line);
    }
  }
}

function arrowOf({ state, mark, stop }: Line): string {
  if (stop !== undefined) return '-.-x';
  if (mark === 'added') return '==>';
  return mark === 'removed' || state === 'doubt' ? '-.->' : '-->';
}

function addNode(
  { nodes }: Drawing,
  [open, close]: readonly [string, string],
  lines: readonly string[],
): string {
  const id = `n${nodes.length}`;
  const label = lines
    .filter((line) => line !== '')
    .map(labelText)
    .join('<br/>');
  nodes.push(`${id}${open}${label}${close}`);
  return id;
}

const STYLE = {
  added: 'stroke:#1a7f37,stroke-width:4px',
  removed: 'stroke:#cf222e,stroke-dasharray:5',
} as const;

function addEdge(drawing: Drawing, from: string, arrow: string, to: string, line?: Line): void {
  const { mark = 'kept', state = 'open', services = '' } = line ?? {};
  const sign = `${SIGNS[mark]}${state === 'doubt' ? '? ' : ''}`;
  const label = `${sign}${services}`;
  drawing.edges.push(`${from} ${arrow}${label === '' ? '' : `|"${labelText(label)}"|`} ${to}`);
  drawing.marks.push(mark);
}

/** Mermaid's own entities, so that no text can end its label or become markup. */
function labelText(text: string): string {
  return withoutObeyed(text.replaceAll(/\s+/g, ' ')).replaceAll(
    /["#&<>`\\|[\]{}();]/g,
    (sign) => `#${sign.charCodeAt(0)};`,
  );
}
