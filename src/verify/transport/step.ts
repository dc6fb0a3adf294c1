/** How one step on a path went. */
export type Step<T> = StepTimes &
  ({ readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown });

interface StepTimes {
  /** Milliseconds of `performance.now()`. */
  readonly startedAt: number;
  readonly elapsedMs: number;
}

/** Does a step, measures it, and keeps its error as a value. */
export async function step<T>(work: () => Promise<T>): Promise<Step<T>> {
  const startedAt = performance.now();
  try {
    const value = await work();
    return { ok: true, value, startedAt, elapsedMs: performance.now() - startedAt };
  } catch (error) {
    return { ok: false, error, startedAt, elapsedMs: performance.now() - startedAt };
  }
}
