/** How one step on a path went. */
export type Step<T> =
  | { readonly ok: true; readonly value: T; readonly elapsedMs: number }
  | { readonly ok: false; readonly error: unknown; readonly elapsedMs: number };

/** Does a step, measures it, and keeps its error as a value. */
export async function step<T>(work: () => Promise<T>): Promise<Step<T>> {
  const start = performance.now();
  try {
    const value = await work();
    return { ok: true, value, elapsedMs: performance.now() - start };
  } catch (error) {
    return { ok: false, error, elapsedMs: performance.now() - start };
  }
}
