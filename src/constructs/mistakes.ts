import { Annotations, Lazy, TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import { type AccessException, isExpired } from '../access/access-rule.js';
import { isToken, tokenProblem, wrong } from '../cloud/props/shape.js';
import { appMistake, endWithMistake } from '../codes/app-mistake.js';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { type Cidr, parseCidr } from '../net/cidr.js';
import { DOMAIN_NAME, DOMAIN_NAME_RULE } from '../net/host-name.js';
import { mostOfInternet } from '../net/most-of-internet.js';
import { shared } from '../package/shared.js';

interface Mistakes {
  /** The path of the construct. */
  readonly path: string;
  readonly problems: readonly string[];
}

/**
 * The value of a construct with mistakes that is not made: what uses it has no mistake of its own. No stack with
 * mistakes is written.
 */
export const NOT_MADE = Lazy.stringValue({ produce: () => '' });

const mistakesOfStack = shared(
  'mistakes-of-stacks',
  () => new WeakMap<TerraformStack, Mistakes[]>(),
);

/** Keeps a construct's mistakes until the whole stack is known, so that all are reported together. */
export function keepMistakes(construct: Construct, problems: readonly string[]): void {
  const stack = TerraformStack.of(construct);
  const kept = mistakesOfStack.get(stack) ?? [];
  mistakesOfStack.set(stack, [...kept, { path: construct.node.path, problems }]);
}

/**
 * Stops with the mistakes that are kept for a stack, and with those that it has besides.
 *
 * @throws ConnectivityError `usage.invalid`, unless there are none
 */
export function refuseMistakes(stack: TerraformStack, ...besides: readonly Mistakes[]): void {
  throwMistakes([...(mistakesOfStack.get(stack) ?? []), ...besides]);
}

/** @throws ConnectivityError `usage.invalid`, unless there are no mistakes */
export function throwMistakes(mistakes: readonly Mistakes[]): void {
  if (mistakes.length === 0) return;
  const texts = mistakes.map(
    ({ path, problems }) =>
      `${path} is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
  );
  throw withFixedMessage(appMistake(texts.join('\n')));
}

/** cdktf writes its own stack into the message of what is thrown while it resolves a token. */
function withFixedMessage(error: ConnectivityError): ConnectivityError {
  const { message } = error;
  return Object.defineProperty(error, 'message', { get: () => message, set: () => undefined });
}

/**
 * Runs an app; a mistake in its settings or properties ends the process with one clear message and
 * its exit status instead of a stack trace.
 */
export function exitOnMistake(app: () => void): void {
  try {
    app();
  } catch (error) {
    if (!(error instanceof ConnectivityError)) throw error;
    endWithMistake(error);
  }
}

/** Shown when the stack is synthesized; it stops nothing. */
export function warn(scope: Construct, text: string): void {
  const known = scope.node.metadata.some(({ data }) => data === text);
  if (!known) Annotations.of(scope).addWarning(text);
}

/** An expired exception must not stop a destroy or another fix: here it only warns, and the review fails. */
export function warnIfExpired(scope: Construct, exception: AccessException | undefined): void {
  if (exception === undefined || !isExpired(exception)) return;
  const { reason, owner, expires } = exception;
  warn(
    scope,
    `the exception "${reason}" expired on ${expires}; ${owner} must end it or set a new date`,
  );
}

/** The problems that several checks find: a text where a check fails, or a list of its own. */
export function collectProblems(
  ...checks: readonly (string | false | undefined | readonly string[])[]
): string[] {
  return checks.flat().filter((problem) => typeof problem === 'string');
}

/** The problem of a list that has something twice, as a list of none or one. */
export function onceProblems(property: string, what: string, values: readonly string[]): string[] {
  const isRepeated = new Set(values).size < values.length;
  return isRepeated
    ? [`\`${property}\` must name each ${what} once, got: ${values.join(', ')}`]
    : [];
}

/** The problem of a value that must be known when the stack is synthesized, as a list of none or one. */
export function literalProblems(property: string, ...values: readonly unknown[]): string[] {
  return values.some(isToken) ? [tokenProblem(property)] : [];
}

/** The problem of a text that must be a literal of some form, such as a CIDR, as a list of none or one. */
export function formatProblems(
  property: string,
  value: string,
  read: (text: string) => unknown,
): string[] {
  const unknown = literalProblems(property, value);
  if (unknown.length > 0) return unknown;
  if (typeof value !== 'string') return [wrong(property, 'text', value)];
  try {
    read(value);
    return [];
  } catch (error) {
    return [`\`${property}\` ${(error as Error).message}, got: "${value}"`];
  }
}

/** The problems of whole numbers between two limits that must be literals. */
export function numberProblems(
  property: string,
  values: readonly number[],
  [least, most]: readonly [number, number],
): string[] {
  const unknown = literalProblems(property, values, ...values);
  if (unknown.length > 0) return unknown;
  return values
    .filter((value) => !(Number.isInteger(value) && value >= least && value <= most))
    .map((value) => `\`${property}\` must be ${least} to ${most}, got: ${value}`);
}

/** The problem of a text that must be a host name, where it is known, as a list of none or one. */
export function hostProblems(property: string, value: string): string[] {
  return isToken(value) || DOMAIN_NAME.test(value)
    ? []
    : [`\`${property}\` ${DOMAIN_NAME_RULE}, got: "${value}"`];
}

export function portProblems(property: string, ports: readonly number[]): string[] {
  return ports.length === 0
    ? [`\`${property}\` must name at least one port`]
    : numberProblems(property, ports, [1, 65535]);
}

/** The problems of CIDRs that must be literals, and not open to most of the internet. */
export function cidrProblems(property: string, cidrs: readonly string[], remedy = ''): string[] {
  const malformed = cidrs.flatMap((cidr) => formatProblems(property, cidr, parseCidr));
  return malformed.length > 0 ? malformed : openProblems(property, cidrs.map(parseCidr), remedy);
}

/** The problem of networks that are open to most of the internet together, as a list of none or one. */
export function openProblems(property: string, cidrs: readonly Cidr[], remedy = ''): string[] {
  const opening = mostOfInternet(cidrs);
  if (opening === undefined) return [];
  const got = opening.cidrs.map(({ text }) => `"${text}"`).join(', ');
  const rule = opening.isAll
    ? `must not be every address, got: ${got}`
    : `must not be most of the internet, got: ${got}, which is ${opening.share}`;
  return [`\`${property}\` ${rule}${remedy}`];
}
