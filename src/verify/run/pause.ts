import { setTimeout as sleep } from 'node:timers/promises';
import { timerMs } from '../../service/http/time-limit.js';
import { RETRY_DELAY_MS, type RunOptions } from '../model/options.js';

/** @returns false where the signal has ended the wait */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await sleep(timerMs(ms), undefined, signal && { signal });
    return true;
  } catch {
    return false;
  }
}

const MAX_DELAY_MS = 15_000;

/**
 * Milliseconds until the next try. They double with each failure in a row, up to 15 s; the spread
 * keeps many checks from calling in step. A service that says how long to stay away is obeyed.
 *
 * @param leftMs what is left of the time to wait
 * @param askedMs what the service asks for
 */
export function retryDelay(
  failuresInARow: number,
  { retryDelayMs = RETRY_DELAY_MS }: Pick<RunOptions, 'retryDelayMs'>,
  leftMs: number = Number.POSITIVE_INFINITY,
  askedMs = 0,
): number {
  const full = Math.min(retryDelayMs * 2 ** Math.max(0, failuresInARow - 1), MAX_DELAY_MS);
  return Math.min(Math.max(full * (0.75 + Math.random() / 4), askedMs), leftMs);
}
