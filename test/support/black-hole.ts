import { openBlackHole } from '../../src/sandbox/listeners/faulty-ports.js';

/** A port that drops what tries to connect. */
export async function startBlackHole(): Promise<number> {
  return (await openBlackHole()).port;
}
