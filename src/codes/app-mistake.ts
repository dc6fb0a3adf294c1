import { isMainThread } from 'node:worker_threads';
import { shared } from '../package/shared.js';
import { type Code, factsOf } from './codes.js';
import { ConnectivityError } from './connectivity-error.js';

/**
 * Builds the error of a mistake in the settings or properties of an app: where nothing catches it, the app ends
 * with its sentence and exit status, in place of a line of this package.
 */
export function appMistake(code: Code, message: string, options?: ErrorOptions): ConnectivityError {
  shared('uncaught-mistakes', () => process.on('uncaughtExceptionMonitor', endIfMistaken));
  return new ConnectivityError(code, message, options);
}

/** Ends the process with one clear message. */
export function endWithMistake({ code, message }: ConnectivityError): never {
  process.stderr.write(`${code}: ${message}\n`);
  process.exit(factsOf(code).exit);
}

/** Leaves any other error to Node.js, and this one to whoever listens to uncaught errors or to a worker. */
function endIfMistaken(error: unknown): void {
  if (!(error instanceof ConnectivityError) || !isMainThread) return;
  if (process.listenerCount('uncaughtException') > 0) return;
  if (!process.hasUncaughtExceptionCaptureCallback()) endWithMistake(error);
}
