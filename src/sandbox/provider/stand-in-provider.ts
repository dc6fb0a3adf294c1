import type { Attributes, Row } from '../../cloud/table/row.js';
import type { ObjectValue } from './value.js';

export interface StandInProvider {
  /** The attributes of the provider block. */
  readonly configuration: Attributes;
  readonly rows: readonly Row[];
  configure(config: ObjectValue): readonly Diagnostic[];
  /** Called only after `configure`. */
  operations(row: Row): Operations;
  /** Terraform was interrupted: bring to an end what is under way. */
  stop(): void;
}

/** The state that an operation leaves, null when there is none, and what it has to report. */
export interface Outcome {
  readonly state: ObjectValue | null;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Operations {
  read(state: ObjectValue): Promise<Outcome>;
  create(planned: ObjectValue): Promise<Outcome>;
  update(prior: ObjectValue, planned: ObjectValue): Promise<Outcome>;
  delete(prior: ObjectValue): Promise<Outcome>;
  /** The state to read an existing object into; absent where a type cannot be imported. */
  import?(id: string): ObjectValue;
  readData?(config: ObjectValue): Promise<Outcome>;
}

/** A step into a value: an attribute's name or the index of a list's member. */
export type PathStep = string | number;

export interface Diagnostic {
  readonly severity: 'ERROR' | 'WARNING';
  readonly summary: string;
  readonly detail: string;
  readonly attribute?: ReturnType<typeof attributePath>;
}

export function error(summary: string, detail: string, path?: readonly PathStep[]): Diagnostic {
  return { severity: 'ERROR', summary, detail, ...(path && { attribute: attributePath(path) }) };
}

export function attributePath(path: readonly PathStep[]) {
  return {
    steps: path.map((step) =>
      typeof step === 'number' ? { element_key_int: step } : { attribute_name: step },
    ),
  };
}

export function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
