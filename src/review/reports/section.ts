/** A part of a report: a table, or sentences. Reports differ only in how they print it. */
export interface Section {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Rows are steps: their order matters. */
  readonly isOrdered?: true;
  /** What the rows come to, where there are too many to print. */
  readonly totals?: readonly string[];
}
