const TIMES = Number(process.env.SECURE_CONNECTIVITY_SAMPLES ?? 1);

/** The number of random inputs that a test tries, or a multiple of it where the environment asks for one. */
export function runs(count: number): number {
  return Math.ceil(count * TIMES);
}
