import { factsOf } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';

/**
 * Runs an app; a mistake in its settings or properties ends the process with one clear message and
 * its exit status in place of a stack trace.
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
