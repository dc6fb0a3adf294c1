const SHORTAGES = ['EMFILE', 'ENFILE'];
const MAX_CAUSES = 8;

/** Finds, in an error or its causes, the code of the system for too many open files. */
export function shortageName(error: unknown): string | undefined {
  let seen = error;
  for (let depth = 0; depth < MAX_CAUSES && seen instanceof Error; depth += 1) {
    const { code, cause } = seen as { code?: unknown; cause?: unknown };
    const found = SHORTAGES.find((name) => name === code);
    if (found !== undefined) return found;
    seen = cause;
  }
  return undefined;
}

/** Tells whether this process, or the machine, may open no more files. */
export function isFileShortage(error: unknown): boolean {
  return shortageName(error) !== undefined;
}

/** The sentence for it, which needs no file to be said. */
export function shortageText(name: string): string {
  return `run.too-many-files: this process may open no more files, got: ${name}; raise the limit (ulimit -n)`;
}
