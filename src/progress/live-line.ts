/** A line on standard error that says what long work does at the moment. */
export interface LiveLine {
  readonly show: (text: string) => void;
  /** Leaves the terminal as it was. */
  readonly end: () => void;
}

/**
 * Shows what long work does: on a terminal in one line, with the seconds since it began, and elsewhere in a line of its
 * own for each step.
 *
 * @param command as people call it, in front of each line
 */
export function liveLine(command: string): LiveLine {
  const { isTTY, columns } = process.stderr;
  if (!isTTY) {
    return { show: (text) => process.stderr.write(`${command}: ${text}\n`), end: () => undefined };
  }
  const start = performance.now();
  let now = '';
  const draw = () => {
    const seconds = Math.round((performance.now() - start) / 1000);
    const line = `${command}: ${now} (${seconds} s)`;
    process.stderr.write(`\r\u001b[K${line.slice(0, (columns || 80) - 1)}`);
  };
  const timer = setInterval(draw, 1000).unref();
  return {
    show: (text) => {
      now = text;
      draw();
    },
    end: () => {
      clearInterval(timer);
      process.stderr.write('\r\u001b[K');
    },
  };
}
