import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reason } from '../../../codes/codes.js';
import { redactOthers, safeText } from '../../../codes/redact.js';
import type { VantagePoint } from '../../../link/vantage-point.js';
import { packageFolder } from '../../../package/package-folder.js';
import type { LooseEvidence } from '../../model/findings.js';
import { HELLO } from './messages.js';

/** The reason why a vantage point gave no report. */
export class VantagePointFailure extends Error {
  constructor(
    readonly reason: Reason,
    readonly evidence: LooseEvidence = {},
  ) {
    super(reason);
  }
}

export interface Ended {
  readonly exit?: number | undefined;
  readonly signal?: string | undefined;
  /** It could not be started. */
  readonly error?: string | undefined;
  /** The beginning and the end of what it wrote to standard error, fit to be shown. */
  readonly stderr?: string | undefined;
}

/** The length of what is kept of the beginning and the end of standard error: either may say why. */
const KEPT_CHARACTERS = 2_048;

/** After which a command that was asked to end is ended. */
const GRACE_MS = 2_000;

/** The command that leads to a vantage point, with the check behind it. */
export class VantagePointProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<Ended>;
  #stderrHead = '';
  #stderrTail = '';

  /** @throws VantagePointFailure `run.vantage-point: no program` for a command that no system can start */
  constructor({ command }: VantagePoint) {
    const [program = '', ...words] = [...command, ...FAR_NODE];
    try {
      const how = { stdio: 'pipe', detached: true, windowsHide: true } as const;
      this.#child = spawn(program, words, { ...how, env: withoutOurs() });
    } catch (error) {
      // Thrown rather than told by an event, as for a name that is too long.
      const { code = '' } = error as NodeJS.ErrnoException;
      throw new VantagePointFailure('run.vantage-point: no program', {
        error: `${program}: ${code}`,
      });
    }
    const { stdin, stdout, stderr } = this.#child;
    // Whoever has gone takes nothing more; that shows in how it ended.
    for (const stream of [stdin, stdout, stderr]) stream.on('error', () => undefined);
    stderr.setEncoding('utf8').on('data', (text: string) => {
      const room = KEPT_CHARACTERS - this.#stderrHead.length;
      this.#stderrHead += text.slice(0, room);
      this.#stderrTail = (this.#stderrTail + text.slice(room)).slice(-KEPT_CHARACTERS);
    });
    // What a command that failed has left running may hold its output open, and says nothing more.
    this.#child.once('exit', (exit) => {
      if (exit !== 0) setTimeout(() => stdout.destroy(), GRACE_MS).unref();
    });
    this.#ended = new Promise((resolve) => {
      this.#child.once('error', (error: NodeJS.ErrnoException) =>
        resolve({ error: `${program}: ${error.code ?? error.message}` }),
      );
      this.#child.once('close', (exit, signal) =>
        resolve({ exit: exit ?? undefined, signal: signal ?? undefined }),
      );
    });
  }

  send(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  /** @throws VantagePointFailure `run.vantage-point` where there are more bytes than that */
  async *lines(mostBytes: number): AsyncGenerator<string> {
    try {
      yield* readLines(this.#child.stdout, mostBytes);
    } catch (error) {
      // Ended from here.
      if (error instanceof VantagePointFailure) throw error;
    }
  }

  /** Ends it with everything that it has started. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): void {
    const { pid, stdin, stdout, stderr } = this.#child;
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
    try {
      // Its whole process group, which Windows does not have.
      if (pid !== undefined) process.kill(-pid, signal);
    } catch {
      this.#child.kill(signal);
    }
  }

  /** Waits for its end, and not for long. */
  async end(): Promise<Ended> {
    this.#child.stdin.end();
    const none: Ended = {};
    const late = () => sleep(GRACE_MS, none, { ref: false });
    let ended = await Promise.race([this.#ended, late()]);
    if (ended === none) {
      this.stop();
      ended = await Promise.race([this.#ended, late()]);
    }
    if (ended === none) this.stop('SIGKILL');
    const stderr = shownLines(this.#stderrHead, this.#stderrTail);
    return { ...ended, ...(stderr !== '' && { stderr }) };
  }
}

const SHOWN_LINES = 3;

/** The first and last lines of a text, and those between them that say what went wrong, fit to be shown. */
function shownLines(head: string, tail: string): string {
  const lines = redactOthers(`${head}${tail}`)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const telling = lines.filter((line) => TELLING.test(line)).slice(0, SHOWN_LINES);
  const isShown = (line: string, i: number) =>
    i < SHOWN_LINES || i >= lines.length - SHOWN_LINES || telling.includes(line);
  const shown = lines.map((line, i) => (isShown(line, i) ? line : ''));
  // An empty line is one that is left out.
  return shown
    .join('\n')
    .split(/\n{2,}/)
    .map(safeText)
    .join(' … ');
}

const TELLING =
  /^(?!\s+at ).*\b(\w*error|cannot|denied|refused|failed|not found|no such|unable)\b/i;

/** The exit status of {@link START} where standard input gives it nothing. */
export const NO_INPUT = 66;

/** The key may be in a variable of ours, and the command may pass on all that it has. */
function withoutOurs(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env);
  return Object.fromEntries(entries.filter(([name]) => !/^SECURE_CONNECTIVITY_/i.test(name)));
}

async function* readLines(stream: Readable, mostBytes: number): AsyncGenerator<string> {
  let pending: string[] = [];
  let length = 0;
  for await (const chunk of stream.setEncoding('utf8') as AsyncIterable<string>) {
    length += chunk.length;
    if (length > mostBytes) {
      throw new VantagePointFailure('run.vantage-point: no result', {
        tooLong: `${mostBytes}`,
      });
    }
    const [first = '', ...others] = chunk.split('\n');
    pending.push(first);
    for (const next of others) {
      yield pending.join('');
      pending = [next];
    }
  }
}

/** Says which Node.js it is, takes the program from the first line of standard input, and starts it. */
const START = `import{createInterface}from'node:readline';
process.stdout.write('\\n${HELLO} '+process.version+'\\n');
const lines=createInterface({input:process.stdin})[Symbol.asyncIterator](),{value}=await lines.next();
if(value===undefined)process.exit(${NO_INPUT});
await(await import('data:text/javascript;base64,'+value)).default(lines)`;

/**
 * Builds the command that is run at the vantage point. A shell there, as with ssh, parses the words again: no character
 * of them means anything to it.
 */
const FAR_NODE: readonly string[] = [
  'node',
  '--import',
  `data:text/javascript,${percentEncoded(START)}`,
  '-e',
  '0',
];

/** The check in one file, as the first line for {@link FAR_NODE}. */
export async function farProgram(): Promise<string> {
  return await readFile(join(packageFolder(), 'dist', 'check.mjs'), 'base64');
}

function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*~]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
