/** A line on standard error that says what long work does at the moment. */
export interface LiveLine {
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
