import { createHash } from 'node:crypto';
import { type CloudState, resourcesOf } from './cloud-state.js';
import type { CloudScope, ConnectionStatus } from './cloud-type.js';
import { type CloudPlace, SANDBOX_PLACE } from './region.js';

const FIRST_NUMBER = 400_000;

export interface ScopeOptions {
  /** @default - the sandbox's own */
  readonly place?: CloudPlace;
  /** @default - they are accepted */
  readonly acceptsConnections?: () => boolean;
  /** Overrides the status of every connection to an endpoint service of the enterprise. */
  readonly connectionStatus?: () => ConnectionStatus | undefined;
}

/** What resource types may ask of the cloud around them, as it is now. */
export function makeScope(state: CloudState, options: ScopeOptions): CloudScope {
  return {
    place: options.place ?? SANDBOX_PLACE,
    acceptsConnections: options.acceptsConnections?.() ?? true,
    connectionStatus: options.connectionStatus?.(),
    find: (typeName, identifier) => state.resources[typeName]?.[identifier],
    all: (typeName) => resourcesOf(state, typeName),
    newId: (prefix) => newId(state, prefix),
    newNumber: () => newNumber(state),
    now: () => new Date().toISOString(),
  };
}

/** Made from a counter that is kept: never the same twice in one state folder. */
export function newId(state: CloudState, prefix: string): string {
  state.serial += 1;
  const digest = createHash('sha256').update(`${prefix}:${state.serial}`).digest('hex');
  return `${prefix}-${digest.slice(0, 16)}`;
}

/** For the few types whose identifiers are numbers. */
function newNumber(state: CloudState): number {
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
