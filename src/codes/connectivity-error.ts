import { type Code, factsOf } from './codes.js';

/** The one error class of this package; `code` is a row of the table of codes. */
export class ConnectivityError extends Error {
  override readonly name = 'ConnectivityError';

  constructor(
    readonly code: Code,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** The exit status for a program that ends with this error. */
  get exit(): number {
    return factsOf(this.code).exit;
  }
}
