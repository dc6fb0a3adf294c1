const TIMES = Number(process.env.SECURE_CONNECTIVITY_SAMPLES ?? 1);

/** How many random inputs a test tries: so many, or a multiple of it where the environment asks for one. */
export function runs(count: number): number {
  return Math.ceil(count * TIMES);
}
