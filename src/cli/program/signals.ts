import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { createInterface } from 'node:readline/promises';

export function signalStatus(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/** Waits for the end of a child and answers its exit status, as a shell would. */
export function statusOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, signal) =>
      resolve(status ?? (signal === null ? 1 : signalStatus(signal))),
    );
  });
}

/**
 * Starts a child, waits for it as `statusOf` does, and passes signals on to it. One that comes while the system
 * starts it would else end this process alone.
 *
 * @returns also the last signal
 */
export async function forwarding(start: () => ChildProcess) {
  let child: ChildProcess | undefined;
  let asked: NodeJS.Signals | undefined;
  const stop = onSignal((signal) => {
    asked = signal;
    if (signal !== 'SIGINT' || !hasTerminal()) child?.kill(signal);
  });
  try {
    child = start();
    const status = await statusOf(child);
    return { status, asked, pid: child.pid };
  } finally {
    stop();
  }
}

// A terminal gives Ctrl-C to the command itself; a second interrupt would make Terraform give up its state.
export function hasTerminal(): boolean {
  return [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Handles every signal that would end the program. @returns a function that restores default signal handling */
export function onSignal(take: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of ENDING) process.on(signal, take);
  return () => {
    for (const signal of ENDING) process.off(signal, take);
  };
}

/** Waits for a signal to end and answers the exit status for it. */
export function untilSignal(): Promise<number> {
  // A pending promise alone does not keep a process alive; servers that are unref'd do not either.
  const alive = setInterval(() => undefined, 2 ** 30);
  return new Promise((resolve) => {
    const stop = onSignal((signal) => {
      clearInterval(alive);
      stop();
      resolve(signalStatus(signal));
    });
  });
}

/** The first signal ends the run with a partial report; a second one ends the process. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const leave = onSignal(() => {
    leave();
    controller.abort();
  });
  try {
    return await work(controller.signal);
  } finally {
    leave();
  }
}

/** A key press can arrive twice: from the terminal, and from npx, which forwards what it gets itself. */
const ONE_PRESS_MS = 1_000;

/** Ends a program that runs below a deploy. */
type End = (signal: NodeJS.Signals) => void;

/** Interrupts of a deploy, each of which reaches what runs below it once. */
export class Interrupts {
  signal: NodeJS.Signals | undefined;

  readonly #controller = new AbortController();
  readonly aborted = this.#controller.signal;

  readonly #ends = new Map<End, boolean>();
  readonly #stop: () => void;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor() {
    this.#stop = onSignal((signal) => this.#take(signal));
  }

  #take(signal: NodeJS.Signals): void {
    const now = performance.now();
    if (now - this.#lastMs < ONE_PRESS_MS) return;
    this.#lastMs = now;
    if (this.signal === undefined && [...this.#ends.values()].includes(true)) {
      process.stderr.write(
        'secure-connectivity: waiting for Terraform to save its state; Ctrl-C ends it without saving\n',
      );
    }
    this.signal ??= signal;
    this.#controller.abort();
    for (const end of this.#ends.keys()) end(signal);
  }

  /**
   * Has a program ended by each signal from now on.
   *
   * @param isSaving whether it has a state to save before its end
   * @returns a function that stops forwarding to it
   */
  forward(end: End, isSaving = false): () => void {
    this.#ends.set(end, isSaving);
    return () => void this.#ends.delete(end);
  }

  /** Restores default signal handling. */
  stop(): void {
    this.#stop();
  }
}

/** Asks whether to do something. Only `yes` approves; the end of the input does not. */
export async function askApproval(question: string, interrupts: Interrupts): Promise<boolean> {
  // Without a terminal of its own, so that Ctrl-C is a signal here as anywhere else.
  const reader = createInterface({ input: process.stdin, terminal: false });
  const aborter = new AbortController();
  const forget = interrupts.forward(() => aborter.abort());
  reader.once('close', () => aborter.abort());
  process.stdout.write(`\n${question}\n  Only 'yes' approves.\n\n  Enter a value: `);
  try {
    const answer = await reader.question('', { signal: aborter.signal });
    process.stdout.write('\n');
    return answer.trim() === 'yes';
  } catch {
    process.stdout.write('\n');
    return false;
  } finally {
    forget();
    reader.close();
    process.stdin.pause();
  }
}
