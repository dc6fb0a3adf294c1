import { Readable } from 'node:stream';
import { run } from '../../src/cli/run.js';
import { apart, type CliResult } from './run-cli.js';

interface HereOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** What standard input holds. */
  readonly input?: string;
}

type HereResult = CliResult & { readonly output: string };

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs the program's sources in this process, with nothing of ours in its environment, one run after
 * the other: quicker than a process of its own, for whatever needs no signal, terminal or open pipe.
 */
export function runHere(args: readonly string[], options: HereOptions = {}): Promise<HereResult> {
  const turn = last.then(() => runNow(args, options));
  last = turn.catch(() => undefined);
  return turn;
}

async function runNow(
  args: readonly string[],
  { env = {}, cwd = process.cwd(), input = '' }: HereOptions,
): Promise<HereResult> {
  const [own, folder] = [process.env, process.cwd()];
  const pieces: string[] = [];
  const stdout = catchWrites(process.stdout, pieces);
  const stderr = catchWrites(process.stderr, pieces);
  const forget = newListeners(process, ['SIGINT', 'SIGTERM', 'SIGHUP']);
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin');
  const value = Readable.from(input === '' ? [] : [Buffer.from(input)]);
  Object.defineProperty(process, 'stdin', { configurable: true, value });
  process.chdir(cwd);
  process.env = { PATH: own.PATH, HOME: own.HOME, ...env };
  try {
    const exit = await run(args);
    return { exit, stdout: stdout.text(), output: pieces.join(''), ...apart(stderr.text()) };
  } finally {
    process.env = own;
    process.chdir(folder);
    if (stdin !== undefined) Object.defineProperty(process, 'stdin', stdin);
    stdout.restore();
    stderr.restore();
    forget();
  }
}

/** @param all where what is written to other streams goes too, in its order */
function catchWrites(stream: NodeJS.WriteStream, all: string[]) {
  const write = stream.write;
  const forget = newListeners(stream, ['error']);
  const pieces: string[] = [];
  stream.write = (piece: Uint8Array | string, ...rest: unknown[]) => {
    const text = typeof piece === 'string' ? piece : Buffer.from(piece).toString();
    pieces.push(text);
    all.push(text);
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
