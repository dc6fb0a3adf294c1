import { EXIT } from '../codes/codes.js';
import { ConnectivityError } from '../codes/connectivity-error.js';

/** Prints an error for people on stderr and answers the exit status. */
export function report(error: unknown): number {
  if (error instanceof ConnectivityError) {
    process.stderr.write(`secure-connectivity: ${error.message}\n`);
    return error.exit;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`secure-connectivity: internal.bug: ${text}\n`);
  return EXIT.bug;
}
