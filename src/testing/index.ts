/**
 * Assertions over the access rules of a stack, for the unit tests of a project of yours. They throw,
 * so they work in every test runner, and load neither cdktf nor one of its continuations.
 */
import type { AccessModel, AccessRule } from '../access/index.js';
import { shared } from '../package/shared.js';
import { covers, type Flow, flowText, touches } from './flow.js';

export type { Flow } from './flow.js';

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
      if (!rules.some((rule) => covers(rule, flow))) {
        fail(`the stack must allow ${flowText(flow)}, and no rule does`, flow);
      }
      return assertions;
    },
    toDenyAll(flow) {
      const open = rules.filter((rule) => touches(rule, flow));
      if (open.length > 0) {
        fail(`the stack must deny ${flowText(flow)}, got: ${open.map(ruleText).join('; ')}`, []);
      }
      return assertions;
    },
    toAllowOnly(...flows) {
      for (const flow of flows) assertions.toAllow(flow);
      const more = rules.filter((rule) => !flows.some((flow) => touches(rule, flow)));
      if (more.length > 0) {
        fail(`the stack must allow nothing else, got: ${more.map(ruleText).join('; ')}`, flows);
      }
      return assertions;
    },
  };
  return assertions;
}

interface HasModel {
  model(): AccessModel;
}

function readRules(stack: object): readonly AccessRule[] {
  const known = shared('access-of-stacks', () => new WeakMap<object, HasModel>()).get(stack);
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
