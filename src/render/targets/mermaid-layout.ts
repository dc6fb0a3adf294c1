import { groupBy } from '../model.js';

/** One line of the drawing, with the peer's text already written for people. */
export interface DrawnRule {
  readonly stack: string;
  readonly via: string;
  readonly direction: string;
  readonly subject: string;
  readonly peer: {
    readonly kind: string;
    readonly text: string;
    /** How many addresses it has; absent for a peer with a name only. */
    readonly addresses?: bigint;
    /** Where it is not the service's, as the connection option would have it. */
    readonly role?: 'foreign-account' | 'name-server' | 'of-any-account';
  };
  readonly services: string;
  readonly mark: 'kept' | 'added' | 'removed';
}

export interface DrawnNode {
  readonly id: string;
  /** Absent for what is the service's. */
  readonly stack?: string;
  readonly shape:
    | 'network'
    | 'endpoint'
    | 'firewall'
    | 'service'
    | 'workload'
    | 'foreign-account'
    | 'name-server';
  readonly lines: readonly string[];
  readonly mark: DrawnRule['mark'];
}

interface DrawnEdge {
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly mark: DrawnRule['mark'];
}

interface Layout {
  readonly stacks: readonly string[];
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
}

/** Peers that a node lists by name; of more it shows some, and their number. */
const MOST_LISTED = 4;
const SAMPLE = 3;

/** Nodes and edges in an order that depends on the rules alone, whatever order they come in. */
export function layOut(rules: readonly DrawnRule[]): Layout {
  const canvas = new Canvas();
  const groups = [...groupBy(rules, groupKey)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [, group] of groups) drawGroup(canvas, group);
  const { nodes, edges } = canvas;
  return { stacks: [...new Set(rules.map(({ stack }) => stack))].sort(), nodes, edges };
}

/** Rules that differ in their peer only are one arrow. */
function groupKey({ stack, via, direction, subject, peer, services, mark }: DrawnRule): string {
  return JSON.stringify([stack, via, subject, direction, peer.kind, peer.role, services, mark]);
}

function drawGroup(canvas: Canvas, group: readonly [DrawnRule, ...DrawnRule[]]): void {
  const [rule] = group;
  const { stack, via, direction, subject, services, mark } = rule;
  const { role } = rule.peer;
  const areClients = via === 'private-network';
  const isOfService = !areClients && role === undefined;
  const own = canvas.node(`${stack} ${via} ${subject}`, {
    stack,
    shape: SUBJECTS[via]?.shape ?? 'workload',
    lines: [SUBJECTS[via]?.name ?? via, subject],
    mark: 'kept',
  });
  const peers = canvas.node(groupKey(rule), {
    ...(areClients && { stack }),
    shape: role === undefined || role === 'of-any-account' ? 'network' : role,
    lines: peerLines(group),
    mark,
  });
  const gate = via.startsWith('fixed-ip') ? canvas.firewall(stack, via, subject) : own;
  const way = { label: '', mark: 'kept' } as const;
  if (direction === 'egress') {
    if (gate !== own) canvas.edge({ from: own, to: gate, ...way });
    canvas.edge({ from: gate, to: peers, label: services, mark });
    if (isOfService) canvas.edge({ from: peers, to: canvas.service(), ...way });
    return;
  }
  if (isOfService) canvas.edge({ from: canvas.service(), to: peers, ...way });
  canvas.edge({ from: peers, to: gate, label: services, mark });
  if (gate !== own) canvas.edge({ from: gate, to: own, ...way });
  if (areClients) canvas.edge({ from: own, to: canvas.service(), ...way });
}

const SUBJECTS: Readonly<Record<string, { shape: DrawnNode['shape']; name: string }>> = {
  'private-network': { shape: 'endpoint', name: 'endpoint' },
  'fixed-ip': { shape: 'workload', name: 'workloads' },
  'private-plugin': { shape: 'endpoint', name: 'endpoint service' },
  'fixed-ip-plugin': { shape: 'workload', name: 'plugin backend' },
};

function peerLines(group: readonly [DrawnRule, ...DrawnRule[]]): string[] {
  const shown = group.length <= MOST_LISTED ? group : group.slice(0, SAMPLE);
  const { kind, role } = group[0].peer;
  const named = role === undefined ? undefined : ROLES[role];
  const count = countText(kind, group, named);
  const left = count.all - countText(kind, shown, count.words).all;
  return [
    count.all === 1n ? count.words[0] : `${count.all} ${count.words[1]}`,
    ...shown.map(({ peer }) => peer.text),
    ...(left > 0n ? [`… and ${left} more`] : []),
  ];
}

/** Addresses are counted one by one, unless they are whole networks. */
const MOST_COUNTED = 256n;

function countText(kind: string, group: readonly DrawnRule[], as?: Words) {
  const addresses = group.reduce((sum, { peer }) => sum + (peer.addresses ?? 0n), 0n);
  const words =
    as ?? (kind === 'cidr' && addresses >= MOST_COUNTED ? NETWORK : (KINDS[kind] ?? PEER));
  return { words, all: words === KINDS.cidr ? addresses : BigInt(group.length) };
}

type Words = readonly [one: string, many: string];

const NETWORK: Words = ['network', 'networks'];
const PEER: Words = ['peer', 'peers'];

const KINDS: Readonly<Record<string, Words>> = {
  cidr: ['address', 'addresses'],
  account: ['account', 'accounts'],
  endpoint: ['connection', 'connections'],
  group: ['security group', 'security groups'],
};

const ROLES: Readonly<Record<string, Words>> = {
  'foreign-account': ['foreign account', 'foreign accounts'],
  'name-server': ['name server', 'name servers'],
};

/** Nodes by what they represent, and arrows, each once. */
class Canvas {
  readonly nodes: DrawnNode[] = [];
  readonly edges: DrawnEdge[] = [];
  readonly #ids = new Map<string, string>();

  node(key: string, node: Omit<DrawnNode, 'id'>): string {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = `n${this.nodes.length}`;
    this.#ids.set(key, id);
    this.nodes.push({ id, ...node });
    return id;
  }

  firewall(stack: string, via: string, subject: string): string {
    return this.node(`firewall ${stack} ${via} ${subject}`, {
      stack,
      shape: 'firewall',
      lines: ['firewall', subject],
      mark: 'kept',
    });
  }

  service(): string {
    return this.node('service', { shape: 'service', lines: ['AI-agent service'], mark: 'kept' });
  }

  edge(edge: DrawnEdge): void {
    const isKnown = this.edges.some(
      ({ from, to, label, mark }) =>
        from === edge.from && to === edge.to && label === edge.label && mark === edge.mark,
    );
    if (!isKnown) this.edges.push(edge);
  }
}
