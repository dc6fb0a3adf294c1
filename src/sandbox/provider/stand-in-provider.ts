import type { Attributes, Row } from '../../cloud/table/row.js';
import type { Diagnostic } from './diagnostic.js';
import type { Operations } from './operations.js';
import type { ObjectValue } from './value.js';

/** A provider as the protocol's methods need it. */
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
