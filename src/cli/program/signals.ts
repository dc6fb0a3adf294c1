import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';

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

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Takes every signal that would end the program. @returns what leaves them to the system again */
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
