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

/** A line on standard error that says what long work does at the moment. */
interface LiveLine {
  readonly show: (text: string) => void;
  /** Leaves the terminal as it was. */
  readonly end: () => void;
}

/** Works that a terminal shows, in the order in which they began: several at once share its one line. */
const shown = new Set<{ text: string; readonly since: number }>();
let redraw: NodeJS.Timeout | undefined;

/**
 * Shows what long work does: on a terminal in one line, with the seconds since it began, and elsewhere in a line of its
 * own for each step.
 *
 * @param command as people call it, in front of each line
 */
export function liveLine(command: string): LiveLine {
  if (!process.stderr.isTTY) {
    return { show: (text) => process.stderr.write(`${command}: ${text}\n`), end: () => undefined };
  }
  const work = { text: '', since: performance.now() };
  return {
    show: (text) => {
      work.text = `${command}: ${text}`;
      shown.add(work);
      redraw ??= setInterval(draw, 1000).unref();
      draw();
    },
    end: () => {
      eraseLine();
      shown.delete(work);
      if (shown.size > 0) return;
      clearInterval(redraw);
      redraw = undefined;
    },
  };
}

/** Takes the line away before something else is printed; it comes back within a second. */
export function eraseLine(): void {
  if (shown.size > 0) process.stderr.write('\r\u001b[K');
}

function draw(): void {
  const [first] = shown;
  if (first === undefined) return;
  const seconds = Math.round((performance.now() - first.since) / 1000);
  const others = shown.size > 1 ? `, and ${shown.size - 1} more` : '';
  const line = `${first.text} (${seconds} s)${others}`;
  process.stderr.write(`\r\u001b[K${line.slice(0, (process.stderr.columns || 80) - 1)}`);
}
