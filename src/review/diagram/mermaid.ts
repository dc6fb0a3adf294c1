import { withoutObeyed } from '../../files/escape.js';
import { groupBy, type NonEmpty } from '../../lists/group-by.js';
import type { DrawnRule, Mark, Place } from './drawn-rules.js';

/**
 * Returns who may talk to whom, in any number of stacks, as one Mermaid flowchart, which pull requests show as
 * a drawing.
 */
export function mermaidDiagram(rules: readonly DrawnRule[]): string {
  const canvas = new Canvas();
  // In an order that depends on the rules alone, whatever order they come in.
  const groups = [...groupBy(rules, groupKey)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [, group] of groups) drawGroup(canvas, group);
  const stacks = [...new Set(rules.map(({ stack }) => stack))].sort();
  const nodesIn = (wanted: string | undefined) =>
    [...canvas.nodes.values()].flatMap(({ stack, line }) => (stack === wanted ? [line] : []));
  const styled = [...canvas.edges.values()].flatMap((mark, i) =>
    mark === 'kept' ? [] : [`  linkStyle ${i} ${STYLE[mark]}`],
  );
  const lines = [
    'flowchart LR',
    ...stacks.flatMap((stack, i) => [
      `  subgraph stack${i}["${labelText(stack)}"]`,
      ...nodesIn(stack).map((line) => `    ${line}`),
      '  end',
    ]),
    ...[...nodesIn(undefined), ...canvas.edges.keys()].map((line) => `  ${line}`),
    ...styled,
    ...(styled.length > 0
      ? [`  classDef added ${STYLE.added}`, `  classDef removed ${STYLE.removed}`]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Rules that differ in their peer only are one arrow. */
function groupKey(rule: DrawnRule) {
  const { stack, via, place, direction, subject, kind, role, isStated, services, mark } = rule;
  const names = [stack, via, subject, place, direction, kind, role, isStated];
  return JSON.stringify([...names, services, mark]);
}

function drawGroup(canvas: Canvas, group: NonEmpty<DrawnRule>): void {
  const [rule] = group;
  const { stack, via, place, direction, subject, role, isStated, services, mark } = rule;
  const areClients = via === 'service-endpoint' || place === 'endpoint';
  const isOfService = !areClients && role === undefined && isStated;
  const owner = place === 'elsewhere' ? (STATED[via] ?? via) : OWNERS[via];
  const name = THINGS.includes(place) || owner === undefined ? place : owner;
  const shape = name.startsWith('endpoint') || name === 'listener' ? 'endpoint' : 'workload';
  const own = canvas.node(`${stack} ${name} ${subject}`, shape, [name, subject], { stack });
  const peers = canvas.node(
    groupKey(rule),
    role === undefined || role === 'of-any-account' ? 'network' : role,
    peerLines(group),
    { mark, stack: areClients ? stack : undefined },
  );
  const guard = place === 'elsewhere' ? 'enforced elsewhere' : place;
  const gate =
    name === place || owner?.startsWith('endpoint') === true
      ? own
      : canvas.node(`${guard} ${own}`, 'guard', [guard, subject], { stack });
  if (direction === 'egress') {
    canvas.edge(own, gate);
    canvas.edge(gate, peers, services, mark);
    if (isOfService) canvas.edge(peers, canvas.service());
    return;
  }
  if (isOfService) canvas.edge(canvas.service(), peers);
  canvas.edge(peers, gate, services, mark);
  canvas.edge(gate, own);
  if (areClients) canvas.edge(own, canvas.service());
}

/** The things that stand for themselves; the others guard something. */
const THINGS: readonly Place[] = ['endpoint', 'endpoint service', 'listener', 'network interface'];

/** The place behind a guard of the cloud, by option. */
const OWNERS: Readonly<Record<string, string>> = {
  'fixed-ip-egress': 'workloads',
  'plugin-endpoint-service': 'plugin backend',
  'fixed-ip-ingress': 'plugin backend',
};

/** The other end where Terraform does not say it, by option. */
const STATED: Readonly<Record<string, string>> = {
  ...OWNERS,
  'service-endpoint': 'endpoint',
  'plugin-endpoint-service': 'endpoint service',
};

/** Peers that a node lists by name; of more it shows some, and their number. */
const MAX_LISTED = 4;
const SAMPLE = 3;

function peerLines(group: NonEmpty<DrawnRule>): string[] {
  const shown = group.length <= MAX_LISTED ? group : group.slice(0, SAMPLE);
  const words = peerWords(group);
  const count = (some: readonly DrawnRule[]) =>
    words === WORDS.addresses ? countAddresses(some) : BigInt(some.length);
  const all = count(group);
  const left = all - count(shown);
  return [
    all === 1n ? words[0] : `${all} ${words[1]}`,
    ...shown.map(({ text }) => text),
    ...(left > 0n ? [`… and ${left} more`] : []),
  ];
}

/** Addresses are counted one by one, unless they are whole networks. */
const MAX_COUNTED = 256n;

function peerWords(group: NonEmpty<DrawnRule>): Words {
  const [{ kind, role = '' }] = group;
  const areNetworks = kind === 'addresses' && countAddresses(group) >= MAX_COUNTED;
  return WORDS[role] ?? WORDS[areNetworks ? 'networks' : kind] ?? ['peer', 'peers'];
}

function countAddresses(rules: readonly DrawnRule[]): bigint {
  return rules.reduce((sum, { addresses }) => sum + addresses, 0n);
}

type Words = readonly [one: string, many: string];

/** The words for a peer, by its kind or its role. */
const WORDS: Readonly<Record<string, Words>> = {
  addresses: ['address', 'addresses'],
  networks: ['network', 'networks'],
  account: ['account', 'accounts'],
  endpoint: ['connection', 'connections'],
  group: ['security group', 'security groups'],
  'foreign-account': ['foreign account', 'foreign accounts'],
  'name-server': ['name server', 'name servers'],
};

/** Lines for nodes, by what they represent, and for arrows, each once. */
class Canvas {
  readonly nodes = new Map<string, { id: string; stack: string | undefined; line: string }>();
  readonly edges = new Map<string, Mark>();

  /** @param place without a stack, what is the service's */
  node(
    key: string,
    shape: Shape,
    lines: readonly string[],
    { stack, mark = 'kept' }: { stack?: string | undefined; mark?: Mark } = {},
  ): string {
    const known = this.nodes.get(key);
    if (known !== undefined) return known.id;
    const id = `n${this.nodes.size}`;
    const [open, close] = SHAPES[shape];
    const style = mark === 'kept' ? '' : `:::${mark}`;
    const line = `${id}${open}${lines.map(labelText).join('<br/>')}${close}${style}`;
    this.nodes.set(key, { id, stack, line });
    return id;
  }

  service(): string {
    return this.node('service', 'service', ['AI-agent service']);
  }

  edge(from: string, to: string, label = '', mark: Mark = 'kept'): void {
    const text = label === '' ? '' : `|"${labelText(SIGNS[mark] + label)}"|`;
    if (from !== to) this.edges.set(`${from} -->${text} ${to}`, mark);
  }
}

type Shape = keyof typeof SHAPES;

const SHAPES = {
  network: ['["', '"]'],
  endpoint: ['(["', '"])'],
  guard: ['{{"', '"}}'],
  service: ['[("', '")]'],
  workload: ['["', '"]'],
  'foreign-account': ['[["', '"]]'],
  'name-server': ['("', '")'],
} as const;

/** Signs beside the colours, for those who do not see colours. */
const SIGNS = { kept: '', added: '+ ', removed: '− ' } as const;

const STYLE = {
  added: 'stroke:#1a7f37,stroke-width:3px',
  removed: 'stroke:#cf222e,stroke-dasharray:5',
} as const;

/** Mermaid's own entities, so that no text can end its label or become markup. */
function labelText(text: string): string {
  return withoutObeyed(text.replaceAll(/\s+/g, ' ')).replaceAll(
    /["#&<>`\\|[\]{}();]/g,
    (sign) => `#${sign.charCodeAt(0)};`,
  );
}
