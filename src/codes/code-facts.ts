/** The meaning of a code. Evidence belongs to a finding, never to the table. */
export interface CodeFacts {
  readonly title: string;
  readonly cause: string;
  readonly remedy: string;
  /** The things to inspect, mostly on the cloud's side, if a check alone cannot tell. */
  readonly inspect?: string;
  /** Texts for a link without an endpoint, if the others speak of one. */
  readonly withoutEndpoint?: Partial<Pick<CodeFacts, 'cause' | 'remedy' | 'inspect'>>;
  /** True if the service itself says no with it; all other failures say nothing of the credentials. */
  readonly isRefusal?: boolean;
  /** True if the same attempt may succeed later without anyone changing anything. */
  readonly isRetryable?: boolean;
  /** True if nothing came, or nothing more: what a machine that stood still sees of a link that works. */
  readonly isOfTime?: boolean;
  /** The exit status of a run that ends with this code, unless a stage of the check gives its own. */
  readonly exit: number;
}

/** A row of the table: what its codes have in common, and what differs by what was seen. */
export type CodeRow = Omit<CodeFacts, 'exit'> &
  Partial<Pick<CodeFacts, 'exit'>> & {
    /** The facts that differ, by the words with which evidence tells what was seen. */
    readonly seen?: Readonly<Record<string, Partial<CodeFacts>>>;
  };

/** The codes of a stage or a part. @param exit of each that states no other */
export function codesWithExit<const Rows extends Readonly<Record<string, CodeRow>>>(
  exit: number,
  rows: Rows,
): { readonly [Code in keyof Rows]: Rows[Code] & { readonly exit: number } } {
  const codes = Object.entries<CodeRow>(rows).map(
    ([code, row]) => [code, { exit, ...row }] as const,
  );
  return Object.fromEntries(codes) as ReturnType<typeof codesWithExit<Rows>>;
}
