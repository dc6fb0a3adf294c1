import type { Diagnostic } from './diagnostic.js';
import type { ObjectValue } from './value.js';

/** The state that an operation leaves, null when there is none, and what it has to report. */
export interface Outcome {
  readonly state: ObjectValue | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a provider can do with the objects of one row. */
export interface Operations {
  read(state: ObjectValue): Promise<Outcome>;
  create(planned: ObjectValue): Promise<Outcome>;
  update(prior: ObjectValue, planned: ObjectValue): Promise<Outcome>;
  delete(prior: ObjectValue): Promise<Outcome>;
  /** The state to read an existing object into; absent where a type cannot be imported. */
  import?(id: string): ObjectValue;
  /** Reads a data source. */
  look?(config: ObjectValue): Promise<Outcome>;
}
