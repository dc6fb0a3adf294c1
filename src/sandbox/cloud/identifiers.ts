import { createHash } from 'node:crypto';
import type { CloudState } from './cloud-state.js';
import type { CloudScope } from './cloud-type.js';

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

/** Gives a resource the identifier that it is to have: a type asks for its own before any other. */
export function namedScope(scope: CloudScope, identifier: string): CloudScope {
  let isGiven = false;
  const once = <T>(own: T, make: () => T): T => {
    if (isGiven) return make();
    isGiven = true;
    return own;
  };
  return {
    ...scope,
    newId: (prefix) => once(identifier, () => scope.newId(prefix)),
    newNumber: () => once(Number(identifier), () => scope.newNumber()),
  };
}
