import { recognizeInBothForms } from '../package/shared.js';
import type { Code, Reason } from './codes.js';
import { findSecret, redact } from './redact.js';

/** The one error class of this package; `code` is a row of the table of codes. */
export class ConnectivityError extends Error {
  static {
    recognizeInBothForms(ConnectivityError, 'ConnectivityError');
  }

  override readonly name = 'ConnectivityError';

  readonly code: Code;

  /** @param message shown without any secret that a value brought into it */
  constructor(
    readonly reason: Reason,
    message: string,
    { cause }: ErrorOptions = {},
  ) {
    super(redact(message), isClean(cause) ? { cause } : undefined);
    [this.code] = reason.split(': ') as [Code];
  }
}

/** A wrong use: what must be given, and what was. */
export function usageError(message: string, cause?: unknown): ConnectivityError {
  return new ConnectivityError('usage.invalid', message, { cause });
}

/** @param rule what the option must be, and what was given: `be above 0, got: 0` */
export function invalidOption(name: string, rule: string, cause?: unknown): ConnectivityError {
  return usageError(`\`${name}\` must ${rule}`, cause);
}

/** An error of the system repeats the path that it was given, which can be a key by mistake. */
function isClean(cause: unknown): boolean {
  return (
    cause !== undefined && findSecret(cause instanceof Error ? cause.message : '') === undefined
  );
}
