import type { FaultName } from './faults.js';

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
