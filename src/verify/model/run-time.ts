/** Milliseconds for one pass over all links, unless the caller says otherwise. */
export const RUN_TIMEOUT_MS = 60_000;

/** Of the time of a run, what one pipe may keep it waiting for. */
const PIPE_SHARE = 0.5;

/** Milliseconds to wait for a pipe that gives nothing, so that it cannot hold a run past its time. */
export function pipeWaitMs(timeoutMs: number = RUN_TIMEOUT_MS): number {
  return timeoutMs * PIPE_SHARE;
}
