/**
 * Assertions over the access rules of a stack, for the unit tests of a project of yours. They throw,
 * so they work in every test runner, and load neither cdktf nor one of its continuations.
 */
import type { AccessModel } from '../access/access-model.js';
import type { AccessRule, Peer } from '../access/access-rule.js';
import { type Cidr, cidrCovers, cidrsOverlap, parseCidr, parseNetwork } from '../net/cidr.js';
import { shared } from '../package/shared.js';

/** Traffic that a test asks about. Exactly one of `from` and `to` is given. */
export interface Flow {
  /** Who calls: a CIDR or address, an account that may connect, or an endpoint whose connection is accepted. */
  readonly from?: string | { readonly account: string } | { readonly endpoint: string };
  /** Who is called: a CIDR or address. */
  readonly to?: string;
  /** @default - every port */
  readonly port?: number;
  /** @default 'tcp' */
  readonly protocol?: 'tcp' | 'udp' | 'icmp' | 'any';
  /** What is called or calls, in the words of the construct: its `name` or `backend`. @default - anything */
  readonly subject?: string;
}

/** What a failed assertion throws; test runners show `actual` and `expected` side by side. */
export class AccessAssertionError extends Error {
  override readonly name = 'AssertionError';

  constructor(
    message: string,
    readonly expected: unknown,
    readonly actual: unknown,
  ) {
    super(message);
  }
}

export interface AccessAssertions {
  /**
   * One rule of the stack allows all of the traffic.
   *
   * @throws AccessAssertionError
   */
  toAllow(flow: Flow): AccessAssertions;
  /**
   * No rule of the stack allows any part of the traffic.
   *
   * @throws AccessAssertionError
   */
  toDenyAll(flow: Flow): AccessAssertions;
  /**
   * Every rule of the stack allows some of the listed traffic, and all of the listed traffic is
   * allowed.
   *
   * @throws AccessAssertionError
   */
  toAllowOnly(...flows: readonly Flow[]): AccessAssertions;
}

/**
 * Assertions over what the constructs of a stack open, as its `access.json` states it.
 *
 * @param stack with constructs of this package, synthesized or not
 * @throws TypeError where no construct of this package is in the stack
 */
export function expectAccess(stack: object): AccessAssertions {
  const rules = readRules(stack);
  const fail = (message: string, expected: unknown): never => {
    throw new AccessAssertionError(`${message}\n${listed(rules)}`, expected, rules.map(ruleText));
  };
  const assertions: AccessAssertions = {
    toAllow(flow) {
      if (!rules.some((rule) => allows(rule, 'all', flow))) {
        fail(`the stack must allow ${flowText(flow)}, and no rule does`, flow);
      }
      return assertions;
    },
    toDenyAll(flow) {
      const open = rules.filter((rule) => allows(rule, 'part', flow));
      if (open.length > 0) {
        fail(`the stack must deny ${flowText(flow)}, got: ${open.map(ruleText).join('; ')}`, []);
      }
      return assertions;
    },
    toAllowOnly(...flows) {
      for (const flow of flows) assertions.toAllow(flow);
      const more = rules.filter((rule) => !flows.some((flow) => allows(rule, 'part', flow)));
      if (more.length > 0) {
        fail(`the stack must allow nothing else, got: ${more.map(ruleText).join('; ')}`, flows);
      }
      return assertions;
    },
  };
  return assertions;
}

function readRules(stack: object): readonly AccessRule[] {
  const stacks = shared('access-of-stacks', () => new WeakMap<object, { model(): AccessModel }>());
  const known = stacks.get(stack);
  if (known === undefined) {
    throw new TypeError('the stack must hold constructs of cdktf-secure-connectivity, got: none');
  }
  return known.model().rules;
}

function listed(rules: readonly AccessRule[]): string {
  return `it allows:\n${rules.map((rule) => `  ${ruleText(rule)}`).join('\n') || '  nothing'}`;
}

function ruleText({ direction, subject, peer, protocol, ports }: AccessRule): string {
  const [, who] = Object.values(peer);
  const span = ports.first === ports.last ? ports.first : `${ports.first}-${ports.last}`;
  const way = direction === 'ingress' ? 'from' : 'to';
  return `${subject} ${way} ${peer.kind === 'cidr' ? who : `${peer.kind} ${who}`}, ${protocol} ${span}`;
}

/** Traffic in one line, as a message says it. */
function flowText({ from, to, port, protocol = 'tcp', subject }: Flow): string {
  const peer = typeof from === 'object' ? Object.entries(from).flat().join(' ') : (from ?? to);
  const way = to === undefined ? `from ${peer}` : `to ${peer}`;
  return `${way}, ${protocol} ${port ?? 'any port'}${subject === undefined ? '' : `, ${subject}`}`;
}

/** Whether a rule lets all of the traffic through, or any part of it. */
function allows(rule: AccessRule, amount: 'all' | 'part', flow: Flow): boolean {
  const { port, protocol = 'tcp' } = flow;
  const { first, last } = rule.ports;
  const [low, high] = port === undefined ? [1, 65535] : [port, port];
  const isAll = amount === 'all';
  const isPort = isAll ? first <= low && high <= last : first <= high && low <= last;
  const isProtocol =
    rule.protocol === protocol || rule.protocol === 'any' || (!isAll && protocol === 'any');
  const isPeer = () => comparePeer(rule.peer, flow, isAll ? cidrCovers : cidrsOverlap);
  return isAbout(rule, flow) && isPort && isProtocol && isPeer();
}

function isAbout(rule: AccessRule, { from, to, subject = rule.subject }: Flow): boolean {
  if ((from === undefined) === (to === undefined)) {
    throw new TypeError('exactly one of `from` and `to` must be given');
  }
  return rule.subject === subject && rule.direction === (to === undefined ? 'ingress' : 'egress');
}

function comparePeer(
  peer: Peer,
  { from, to }: Flow,
  compare: (rule: Cidr, flow: Cidr) => boolean,
): boolean {
  const other = from ?? to ?? '';
  if (typeof other === 'string') {
    const network = parseNetwork(other);
    return peer.kind === 'cidr' && compare(parseCidr(peer.cidr), network);
  }
  return 'account' in other
    ? peer.kind === 'account' && [other.account, '*'].includes(peer.account)
    : peer.kind === 'endpoint' && peer.endpoint === other.endpoint;
}
