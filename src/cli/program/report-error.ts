import { EXIT, factsOf } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { shownLines } from '../../codes/redact.js';

/** Prints an error for people on stderr and answers the exit status. */
export function report(error: unknown): number {
  if (error instanceof ConnectivityError) {
    process.stderr.write(`secure-connectivity: ${shownLines(error.message)}\n`);
    return factsOf(error.code).exit;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`secure-connectivity: internal.bug: ${shownLines(text)}\n`);
  return EXIT.bug;
}
