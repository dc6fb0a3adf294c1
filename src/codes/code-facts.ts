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
  readonly isRefusal?: true;
  /** True if the same attempt may succeed later without anyone changing anything. */
  readonly isRetryable?: true;
  /** True if nothing came, or nothing more: what a machine that stood still sees of a link that works. */
  readonly isOfTime?: true;
  /** The exit status of a run that ends with this code. */
  readonly exit: number;
}

type CodeRow = Omit<CodeFacts, 'exit'> & Partial<Pick<CodeFacts, 'exit'>>;

/** The codes of a stage or a part. @param exit of each that states no other */
export function codesWithExit<Code extends string>(
  exit: number,
  rows: Readonly<Record<Code, CodeRow>>,
): Readonly<Record<Code, CodeFacts>> {
  const codes = Object.entries<CodeRow>(rows).map(
    ([code, row]) => [code, { exit, ...row }] as const,
  );
  return Object.fromEntries(codes) as Record<Code, CodeFacts>;
}
