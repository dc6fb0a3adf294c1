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
  readonly kind: 'retryable' | 'final';
  /** The exit status of a run that ends with this code. */
  readonly exit: number;
}
