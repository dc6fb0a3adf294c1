/** The exit statuses of every command. A check ends with that of its failure; of several, with the lowest. */
export const EXIT = {
  usage: 2,
  preflight: 2,
  /** Of a review. */
  needsApproval: 3,
  /** What is in use is not what would be rendered. */
  differs: 3,
  forbidden: 4,
  dns: 10,
  address: 11,
  tcp: 12,
  tls: 13,
  http: 14,
  token: 15,
  workspaces: 16,
  chat: 17,
  connection: 18,
  clock: 19,
  deadline: 20,
  strictWarning: 21,
  leftBehind: 22,
  bug: 70,
  output: 74,
  interrupted: 130,
} as const;

/** What a code means. Evidence belongs to a finding, never to the table. */
export interface CodeFacts {
  readonly title: string;
  readonly cause: string;
  readonly remedy: string;
  /** What to inspect, mostly on the cloud's side, where a check alone cannot tell. */
  readonly inspect?: string;
  /** Whether the service itself says no with it; all other failures say nothing of the credentials. */
  readonly isRefusal?: true;
  /** Whether the same attempt may succeed later without anyone changing anything. */
  readonly isRetryable?: true;
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
