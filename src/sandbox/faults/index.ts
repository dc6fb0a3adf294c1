import type { ServicePorts } from '../listeners/service-ports.js';
import { HTTP_FAULTS, TOKEN_FAULTS, WORKSPACES_FAULTS } from './answer-faults.js';
import { CLOUD_FAULTS, type CloudFaultName } from './cloud-faults.js';
import { ADDRESS_FAULTS, DNS_FAULTS, TCP_FAULTS, TLS_FAULTS } from './connection-faults.js';
import type { Fault } from './fault.js';
import { BACKEND_FAULTS, OPTION_FAULTS } from './option-faults.js';

/** Every fault that a check must find, along the way to the service. */
export const FAULTS = [
  ...DNS_FAULTS,
  ...ADDRESS_FAULTS,
  ...TCP_FAULTS,
  ...TLS_FAULTS,
  ...HTTP_FAULTS,
  ...TOKEN_FAULTS,
  ...WORKSPACES_FAULTS,
  ...OPTION_FAULTS,
  ...BACKEND_FAULTS,
] as const satisfies readonly Fault[];

export type FaultName = (typeof FAULTS)[number]['name'] | CloudFaultName;

/** The rows of the faults that are on, in the order of the table. */
export function activeFaults(active: ReadonlySet<string>): Fault[] {
  return FAULTS.filter(({ name }) => active.has(name));
}

/** The port that takes the calls of a plugin's servers: their own, or what a fault puts in its place. */
export function backendPort(active: ReadonlySet<string>, ports: ServicePorts, own: number): number {
  const row = activeFaults(active).find(({ strikes }) => strikes === 'backend');
  return row?.listener === undefined ? own : ports[row.listener];
}

export function isFaultName(text: string): text is FaultName {
  return [...FAULTS, ...CLOUD_FAULTS].some(({ name }) => name === text);
}

/** The faults that are on now; every change takes effect before the call returns. */
export class FaultSwitch {
  readonly #active: Set<FaultName>;
  readonly #onChange: () => void;

  constructor(initial: Iterable<FaultName>, onChange: () => void) {
    this.#active = new Set(initial);
    this.#onChange = onChange;
  }

  get active(): ReadonlySet<FaultName> {
    return this.#active;
  }

  /** Turns faults on, beside those that are on already. */
  set(...names: FaultName[]): void {
    for (const name of names) this.#active.add(name);
    this.#onChange();
  }

  /** Turns faults off; without names, all of them. */
  clear(...names: FaultName[]): void {
    for (const name of names.length > 0 ? names : [...this.#active]) this.#active.delete(name);
    this.#onChange();
  }
}
