/**
 * Assertions over what the Terraform of a stack opens, for the unit tests of a project of yours. They
 * throw, so they work in every test runner, and load neither cdktf nor one of its continuations.
 */
import type { OpenPart } from '../reach/questions/table.js';
import { type Flow, type Found, findHole, findOverlap, findRest, flowText } from './flows.js';
import { type OpenAccess, readOpenAccess } from './stack-access.js';

export type { Flow } from './flows.js';

/** The error of a failed assertion; test runners show `actual` and `expected` side by side. */
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
   * The stack allows all of the traffic, by one rule or by several together.
   *
   * @throws AccessAssertionError
   */
  toAllow(flow: Flow): AccessAssertions;
  /**
   * The stack allows no part of the traffic. It also fails where a part of the stack cannot be read.
   *
   * @throws AccessAssertionError
   */
  toDenyAll(flow: Flow): AccessAssertions;
  /**
   * The stack allows all of the listed traffic and nothing else. It also fails where a part of the
   * stack cannot be read.
   *
   * @throws AccessAssertionError
   */
  toAllowOnly(...flows: readonly Flow[]): AccessAssertions;
}

/**
 * Assertions over what a stack opens, packet by packet, as its synthesized Terraform says it: overrides
 * and resources that no construct made count as well.
 *
 * @param stack with constructs of this package, synthesized or not
 * @throws TypeError where no construct of this package is in the stack
 * @throws ConnectivityError `construct.invalid` where a construct has reported mistakes
 */
export function expectAccess(stack: object): AccessAssertions {
  const access = readOpenAccess(stack);
  const { parts } = access;
  const assertions: AccessAssertions = {
    toAllow(flow) {
      const hole = findHole(parts, flow);
      if (hole === undefined) return assertions;
      const why = `no rule allows ${hole}`;
      throw new AccessAssertionError(`the stack must allow ${flowText(flow)}; ${why}`, flow, hole);
    },
    toDenyAll(flow) {
      const found = parts.map((part) => findOverlap(part, flow)).find(isFound);
      refuse(`the stack must deny ${flowText(flow)}`, access, found);
      return assertions;
    },
    toAllowOnly(...flows) {
      for (const flow of flows) assertions.toAllow(flow);
      const found = parts.map((part) => findRest(part, flows)).find(isFound);
      refuse('the stack must allow nothing else', access, found);
      return assertions;
    },
  };
  return assertions;
}

function isFound(found: Found | undefined): found is Found {
  return found !== undefined;
}

/** @throws AccessAssertionError where a packet was found, or a part of the stack is not read */
function refuse(must: string, { unread }: OpenAccess, found: Found | undefined): void {
  if (found !== undefined) {
    const { packet, part } = found;
    const text = `${must}; open is ${packet}, ${partText(part)}`;
    throw new AccessAssertionError(text, 'closed', packet);
  }
  const [unknown] = unread;
  if (unknown === undefined) return;
  throw new AccessAssertionError(`${must}; that cannot be shown: ${unknown}`, 'closed', unknown);
}

function partText({ resources, depends }: OpenPart): string {
  if (depends.length > 0) return `which depends on: ${depends.join('; ')}`;
  return resources.length === 0 ? 'as stated' : `through ${resources.join(', ')}`;
}
