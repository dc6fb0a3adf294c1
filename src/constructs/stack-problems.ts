import { Annotations, TerraformStack } from 'cdktf';
import type { Construct, IConstruct } from 'constructs';
import { type AccessException, isExpired } from '../access/access-rule.js';
import { factsOf } from '../codes/codes.js';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { shared } from '../package/shared.js';

interface Mistakes {
  /** Of the construct. */
  readonly path: string;
  readonly problems: readonly string[];
}

const mistakesOfStack = shared(
  'mistakes-of-stacks',
  () => new WeakMap<TerraformStack, Mistakes[]>(),
);

/** Keeps a construct's mistakes until the whole stack is known, so that all are reported together. */
export function keepMistakes(construct: IConstruct, problems: readonly string[]): void {
  const stack = TerraformStack.of(construct);
  const kept = mistakesOfStack.get(stack) ?? [];
  mistakesOfStack.set(stack, [...kept, { path: construct.node.path, problems }]);
}

/** @throws ConnectivityError `construct.invalid`, unless no mistakes are kept for the stack */
export function refuseMistakes(stack: TerraformStack): void {
  throwMistakes(mistakesOfStack.get(stack) ?? []);
}

/**
 * Stops with every problem of a construct's properties, and with those of the constructs before it.
 *
 * @throws ConnectivityError `construct.invalid`, unless there are no problems
 */
export function refuse(scope: Construct, id: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  const path = [scope.node.path, id].filter((part) => part !== '').join('/');
  const kept = mistakesOfStack.get(TerraformStack.of(scope)) ?? [];
  throwMistakes([...kept, { path, problems }]);
}

/** @throws ConnectivityError `construct.invalid`, unless there are no mistakes */
export function throwMistakes(mistakes: readonly Mistakes[]): void {
  if (mistakes.length === 0) return;
  const texts = mistakes.map(
    ({ path, problems }) =>
      `${path} is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
  );
  throw withFixedMessage(new ConnectivityError('construct.invalid', texts.join('\n')));
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
    process.stderr.write(`${error.code}: ${error.message}\n`);
    process.exit(factsOf(error.code).exit);
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
