import { liveLine } from './live-line.js';

/** The length of a silence that needs no notice. */
const SILENCE_MS = 2_000;

/**
 * Says on standard error what is waited for, once in each silence.
 *
 * @param what the line; undefined where there is nothing to say
 */
export function sayWhileWaiting(what: () => string | undefined) {
  const say = () => {
    const line = what();
    if (line !== undefined) process.stderr.write(`${line}\n`);
  };
  const begin = () => setTimeout(say, SILENCE_MS).unref();
  let timer: NodeJS.Timeout | undefined = begin();
  return {
    /** Something else was printed, or something else is waited for: the silence begins anew. */
    heard: (): void => {
      timer = timer?.refresh() ?? begin();
    },
    end: (): void => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/**
 * Does work that prints nothing and asks nothing, and says what is waited for: on a terminal in a live line, elsewhere
 * once, after two seconds.
 */
export async function withWaitNotice<T>(what: string, work: () => Promise<T>): Promise<T> {
  const line = liveLine('secure-connectivity');
  const timer = setTimeout(() => line.show(`waiting for ${what}`), SILENCE_MS).unref();
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    line.end();
  }
}
