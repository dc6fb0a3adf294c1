const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 15_000;

export interface RetryDelayOptions {
  /** Before the second try. @default 1_000 */
  readonly firstMs?: number | undefined;
  readonly failuresInARow: number;
  /** What the service asks for. @default 0 */
  readonly askedMs?: number | undefined;
  /** What is left of the time to wait. @default no limit */
  readonly leftMs?: number | undefined;
  /** From 0 to 1. */
  readonly random?: () => number;
}

/**
 * Milliseconds until the next try. They double with each failure in a row, up to 15 s; the spread
 * keeps many checks from calling in step. A service that says how long to stay away is obeyed.
 */
export function retryDelay({
  firstMs = FIRST_DELAY_MS,
  failuresInARow,
  askedMs = 0,
  leftMs = Number.POSITIVE_INFINITY,
  random = Math.random,
}: RetryDelayOptions): number {
  const full = Math.min(firstMs * 2 ** Math.max(0, failuresInARow - 1), LONGEST_DELAY_MS);
  return Math.min(Math.max(full * (0.75 + random() / 4), askedMs), leftMs);
}
