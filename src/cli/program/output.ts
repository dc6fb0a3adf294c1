import { styleText } from 'node:util';
import { EXIT } from '../../codes/exit-status.js';
import { shortageName, shortageText } from '../../codes/file-shortage.js';

/** A command has printed all that there is to say, such as its help. */
export class Ended extends Error {
  override readonly name = 'Ended';

  /** @param status 0, or another one for a wrong usage */
  constructor(readonly status: number) {
    super(`the command has ended with ${status}`);
  }
}

let failure: NodeJS.ErrnoException | undefined;

/** Makes an output that fails from here on end in an exit status, and not in a stack trace. */
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
  if (mayBeLeft && (failure.code === 'EPIPE' || status !== 0)) return status;
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

/** More than any list of problems: a message may quote a file of others. */
const MAX_MESSAGE = 20_000;

/** Prints an error for people on stderr and answers the exit status. */
export async function reportError(error: unknown): Promise<number> {
  if (error instanceof Ended) return error.status === 0 ? 0 : EXIT.usage;
  // Whatever else is said of it would need a file first.
  const shortage = shortageName(error);
  if (shortage !== undefined) {
    process.stderr.write(`secure-connectivity: ${shortageText(shortage)}\n`);
    return EXIT.deadline;
  }
  const [{ factsOf }, { ConnectivityError }, { shownLines }, { findTemporaryFolderError }, files] =
    await Promise.all([
      import('../../codes/codes.js'),
      import('../../codes/connectivity-error.js'),
      import('../../codes/redact.js'),
      import('../../files/temporary-folder.js'),
      import('./named-files.js'),
    ]);
  const known =
    error instanceof ConnectivityError
      ? error
      : (findTemporaryFolderError(error) ?? files.findLostOutput(error));
  if (known !== undefined) {
    const message = shownLines(known.message);
    const isLong = message.length > MAX_MESSAGE;
    const text = isLong ? `${message.slice(0, MAX_MESSAGE)}…` : message;
    process.stderr.write(`secure-connectivity: ${text}\n`);
    return factsOf(known.reason).exit;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`secure-connectivity: internal.bug: ${shownLines(text)}\n`);
  return EXIT.bug;
}

/** Colours a text for a terminal that shows it; elsewhere, and where NO_COLOR is set, it stays plain. */
export function coloured(style: Parameters<typeof styleText>[0], text: string): string {
  const { NO_COLOR: noColor, TERM: terminal } = process.env;
  const isPlain = !process.stdout.isTTY || Boolean(noColor) || terminal === 'dumb';
  return isPlain ? text : styleText(style, text);
}

/**
 * Lays a report out for the terminal, or for a file.
 *
 * @param file undefined for the standard output
 * @param width where there is no terminal
 */
export function terminalOf(file: string | undefined, width = 100) {
  const { isTTY, columns } = process.stdout;
  if (file !== undefined) return { width };
  return { width: isTTY && columns > 0 ? columns : width, paint: coloured };
}
