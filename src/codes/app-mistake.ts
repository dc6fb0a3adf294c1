import { isMainThread } from 'node:worker_threads';
import { shared } from '../package/shared.js';
import { factsOf } from './codes.js';
import { ConnectivityError, usageError } from './connectivity-error.js';

/**
 * Builds the error of a mistake in the settings or properties of an app: where nothing catches it, the app ends
 * with its sentence and exit status, in place of a line of this package.
 */
export function appMistake(message: string, cause?: unknown): ConnectivityError {
  shared('uncaught-mistakes', () => process.on('uncaughtExceptionMonitor', endIfMistaken));
  return usageError(message, cause);
}

/** Ends the process with one clear message. */
export function endWithMistake({ code, reason, message }: ConnectivityError): never {
  process.stderr.write(`${code}: ${message}\n`);
  process.exit(factsOf(reason).exit);
}

/** Ends the process at a mistake, unless the app handles uncaught errors or runs in a worker. */
function endIfMistaken(error: unknown): void {
  if (!(error instanceof ConnectivityError) || !isMainThread) return;
  if (process.listenerCount('uncaughtException') > 0) return;
  if (!process.hasUncaughtExceptionCaptureCallback()) endWithMistake(error);
}
