/** So long a silence needs no word. */
const SILENCE_MS = 2_000;

export interface Waiting {
  /** Something else was printed, or something else is waited for: the silence begins anew. */
  readonly heard: () => void;
  readonly end: () => void;
}

/** Says on standard error what is waited for, once in each silence; a terminal's live line says it already. */
export function sayWhileWaiting(what: () => string): Waiting {
  let timer: NodeJS.Timeout | undefined;
  const end = () => clearTimeout(timer);
  const heard = () => {
    end();
    timer = setTimeout(() => process.stderr.write(`${what()}\n`), SILENCE_MS).unref();
  };
  heard();
  return { heard, end };
}
