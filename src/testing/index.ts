/**
 * Assertions over what the Terraform of a stack opens, for the unit tests of a project of yours. They
 * throw, so they work in every test runner, and load neither cdktf nor one of its continuations.
 */
import { usageError } from '../codes/connectivity-error.js';
import { nearestText } from '../codes/near-text.js';
import type { Intents } from '../intents/intents-file.js';
import { checkIntents, invalidIntents, readIntents } from '../intents/read-intents.js';
import { answerText } from '../reach/intents/answer.js';
import { judgeIntents } from '../reach/intents/judge-intents.js';
import { judgedStack } from '../reach/intents/scope.js';
import type { OpenPart } from '../reach/questions/table.js';
import { readReached } from '../reach/ways/doors.js';
import { type Flow, type Found, findHole, findOverlap, findRest, flowText } from './flows.js';
import { askedStack, type OpenAccess, readOpenAccess } from './stack-access.js';

export type { Intent, Intents } from '../intents/intents-file.js';
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
   * The stack allows all of the traffic, by one rule or by several together. It also fails where a part of
   * the stack that can close anything cannot be read, and where the traffic is only stated: enforced by
   * something that is not in the stack.
   *
   * @throws AccessAssertionError
   * @throws ConnectivityError `usage.invalid` for a subject that nothing in the stack has
   */
  toAllow(flow: Flow): AccessAssertions;
  /**
   * The stack allows no part of the traffic. It also fails where a part of the stack cannot be read, or
   * runs a program of others at the deploy.
   *
   * @throws AccessAssertionError
   * @throws ConnectivityError `usage.invalid` for a subject that nothing in the stack has
   */
  toDenyAll(flow: Flow): AccessAssertions;
  /**
   * The stack allows all of the listed traffic and nothing else. It also fails where a part of the
   * stack cannot be read, or runs a program of others at the deploy.
   *
   * @throws AccessAssertionError
   * @throws ConnectivityError `usage.invalid` for a subject that nothing in the stack has
   */
  toAllowOnly(...flows: readonly Flow[]): AccessAssertions;
}

/**
 * Assertions over what a stack opens, packet by packet, as its synthesized Terraform says it: overrides
 * and resources that no construct made count as well.
 *
 * @param stack with constructs of this package, synthesized or not
 * @throws TypeError where no construct of this package is in the stack
 * @throws ConnectivityError `usage.invalid` where a construct has reported mistakes
 */
export function expectAccess(stack: object): AccessAssertions {
  const access = readOpenAccess(stack);
  const { parts } = access;
  const assertions: AccessAssertions = {
    toAllow(flow) {
      requireSubject(flow, access);
      const hole = findHole(parts, flow);
      const got = hole ?? access.unseen[0];
      if (got === undefined) return assertions;
      const why = hole === undefined ? `that cannot be shown: ${got}` : `no rule allows ${hole}`;
      throw new AccessAssertionError(`the stack must allow ${flowText(flow)}; ${why}`, flow, got);
    },
    toDenyAll(flow) {
      requireSubject(flow, access);
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

/**
 * Asserts that stacks keep to a file of intents, as `synth`, `deploy` and a review judge them. An intent
 * that no file of the stacks decides fails as well.
 *
 * @param stacks one, or all that the intents speak of; synthesized or not
 * @param intents a file, or the same as an object
 * @param environment @default - that of `keepIntents`; without one, intents for some environments do not apply
 * @throws AccessAssertionError
 * @throws ConnectivityError `usage.invalid` for a name that nothing has, or an end that is empty
 */
export function expectIntents(
  stacks: object | readonly object[],
  intents: string | Intents,
  environment?: string,
): void {
  const asked = [stacks].flat().map(askedStack);
  const given =
    typeof intents === 'string' ? readIntents(intents) : checkIntents(intents, 'the object');
  const where = environment ?? asked.find((stack) => stack.environment)?.environment;
  const all = { ...given, ...(where !== undefined && { environment: where }) };
  const answers = judgeIntents(all, asked.map(readReached).map(judgedStack));
  if (answers.every(({ verdict }) => verdict === 'elsewhere')) {
    const got = where === undefined ? 'no environment' : `"${where}"`;
    throw invalidIntents(`\`environment\` must be one to which an intent applies, got: ${got}`);
  }
  const wrong = answers.filter(({ verdict }) => verdict === 'broken' || verdict === 'undecided');
  if (wrong.length === 0) return;
  throw new AccessAssertionError(
    wrong.map((answer) => answerText(answer)).join('\n'),
    wrong.map(({ name, expect }) => `${name}: ${expect}`),
    wrong.map(({ name, packet, depends }) => `${name}: ${packet ?? depends.join('; ')}`),
  );
}

/** A name that nothing has is a mistake in writing: nothing of it could ever be open. */
function requireSubject({ subject }: Flow, { subjects }: OpenAccess): void {
  if (subject === undefined || subjects.includes(subject)) return;
  const known = subjects.join(', ') || '(nothing is there)';
  throw usageError(
    `\`subject\` must be one of ${known}, got: "${subject}"${nearestText(subject, subjects)}`,
  );
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
  return `through ${resources.join(', ')}`;
}
