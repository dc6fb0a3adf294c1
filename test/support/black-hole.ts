import { onTestFinished } from 'vitest';
import { openBlackHole } from '../../src/sandbox/listeners/faulty-ports.js';

/** A port that drops what tries to connect, until the end of the test. */
export async function startBlackHole(): Promise<number> {
  const { port, stop } = await openBlackHole();
  onTestFinished(stop);
  return port;
}
