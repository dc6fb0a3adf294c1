import { run } from '../../src/cli/run.js';
import { apart, type CliOptions, type CliResult } from './run-cli.js';

/**
 * Runs the program's sources in this process, with nothing of ours in its environment: for tests that
 * run it hundreds of times, one after the other.
 */
export async function runHere(
  args: readonly string[],
  { env = {}, cwd = process.cwd() }: Pick<CliOptions, 'env' | 'cwd'> = {},
): Promise<CliResult> {
  const [own, folder] = [process.env, process.cwd()];
  const [stdout, stderr] = [catchWrites(process.stdout), catchWrites(process.stderr)];
  const forget = newListeners(process, ['SIGINT', 'SIGTERM', 'SIGHUP']);
  process.chdir(cwd);
  process.env = { PATH: own.PATH, HOME: own.HOME, ...env };
  try {
    return { exit: await run(args), stdout: stdout.text(), ...apart(stderr.text()) };
  } finally {
    process.env = own;
    process.chdir(folder);
    stdout.restore();
    stderr.restore();
    forget();
  }
}

function catchWrites(stream: NodeJS.WriteStream) {
  const write = stream.write;
  const forget = newListeners(stream, ['error']);
  const pieces: string[] = [];
  stream.write = (piece: Uint8Array | string, ...rest: unknown[]) => {
    pieces.push(typeof piece === 'string' ? piece : Buffer.from(piece).toString());
    for (const called of rest) if (typeof called === 'function') called();
    return true;
  };
  const restore = () => {
    stream.write = write;
    forget();
  };
  return { text: () => pieces.join(''), restore };
}

/** Answers what takes away the listeners that are added from now on. */
function newListeners(emitter: NodeJS.EventEmitter, events: readonly string[]): () => void {
  const before = events.map((event) => emitter.listeners(event));
  return () => {
    for (const [i, event] of events.entries()) {
      for (const listener of emitter.listeners(event)) {
        if (!before[i]?.includes(listener)) emitter.off(event, listener as () => void);
      }
    }
  };
}
