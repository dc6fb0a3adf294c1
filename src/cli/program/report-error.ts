import { EXIT, factsOf } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { CONTROLS, redact } from '../../codes/redact.js';

/** Prints an error for people on stderr and answers the exit status. */
export function report(error: unknown): number {
  if (error instanceof ConnectivityError) {
    process.stderr.write(`secure-connectivity: ${withoutControls(error.message)}\n`);
    return factsOf(error.code).exit;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`secure-connectivity: internal.bug: ${redact(text)}\n`);
  return EXIT.bug;
}

/** A message may have several lines; what else a terminal obeys comes from a value in it. */
function withoutControls(message: string): string {
  return message.replace(CONTROLS, (run) => run.replace(/[^\n\t]/g, ' '));
}
