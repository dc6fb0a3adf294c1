import { EXIT } from '../../codes/exit-status.js';

/** A command has printed all that there is to say, such as its help. */
export class Ended extends Error {
  override readonly name = 'Ended';

  /** @param status 0, or another one for a wrong usage */
  constructor(readonly status: number) {
    super(`the command has ended with ${status}`);
  }
}

let failure: NodeJS.ErrnoException | undefined;

/** From here on an output that fails ends in an exit status, and not in a stack trace. */
export function guardOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    failure ??= error;
  });
  // Where nobody reads what is wrong, the exit status alone says it.
  process.stderr.on('error', () => undefined);
}

/**
 * Waits until all output is written.
 *
 * @param mayBeLeft whether the reader may leave before the end
 * @returns the exit status: that of lost output where standard output did not take everything
 */
export async function flushed(status: number, mayBeLeft: boolean): Promise<number> {
  await Promise.all([written(process.stdout), written(process.stderr)]);
  if (failure === undefined || status === EXIT.output) return status;
  if (mayBeLeft && failure.code === 'EPIPE') return status;
  const { lostOutput } = await import('./named-files.js');
  const lost = await reportError(lostOutput('standard output', failure.code ?? '', failure));
  await written(process.stderr);
  return lost;
}

function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}

/** Prints an error for people on stderr and answers the exit status. */
export async function reportError(error: unknown): Promise<number> {
  if (error instanceof Ended) return error.status === 0 ? 0 : EXIT.usage;
  const [{ factsOf }, { ConnectivityError }, { shownLines }] = await Promise.all([
    import('../../codes/codes.js'),
    import('../../codes/connectivity-error.js'),
    import('../../codes/redact.js'),
  ]);
  if (error instanceof ConnectivityError) {
    process.stderr.write(`secure-connectivity: ${shownLines(error.message)}\n`);
    return factsOf(error.code).exit;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`secure-connectivity: internal.bug: ${shownLines(text)}\n`);
  return EXIT.bug;
}
