import { createHash } from 'node:crypto';
import type { CloudState } from './cloud-state.js';

const FIRST_NUMBER = 400_000;

/** Made from a counter that is kept: never the same twice in one state folder. */
export function newId(state: CloudState, prefix: string): string {
  state.serial += 1;
  const digest = createHash('sha256').update(`${prefix}:${state.serial}`).digest('hex');
  return `${prefix}-${digest.slice(0, 16)}`;
}

/** For the few types whose identifiers are numbers. */
export function newNumber(state: CloudState): number {
  state.serial += 1;
  return FIRST_NUMBER + state.serial;
}
