import { EXIT, factsOf, type Reason, reasonOf, splitReason } from './codes.js';

/** A failure or a warning as a report states it: the finding of a stage, a probe, a server of a plugin. */
interface Stated {
  readonly status?: string;
  readonly stage?: Exclude<keyof typeof EXIT, number>;
  readonly code?: string | undefined;
  readonly evidence?: Readonly<Record<string, unknown>>;
}

/** The reasons of what failed. A code of a later program counts as a bug of this one. */
export function failedReasons(findings: readonly Stated[]): Reason[] {
  return findings
    .filter(({ status }) => status === 'failed')
    .map((one) => reasonOf(one) ?? 'internal.bug');
}

/**
 * The exit statuses of what failed. The stage gives the exit status, and the code the reason; an end that
 * says nothing of the stage has its own.
 */
export function failedExits(findings: readonly Stated[]): number[] {
  return findings.flatMap((one) =>
    failedReasons([one]).map((reason) => {
      const { exit } = factsOf(reason);
      const isOwn = exit >= EXIT.clock && exit !== EXIT.strictWarning;
      return isOwn || one.stage === undefined ? exit : EXIT[one.stage];
    }),
  );
}

/** Tells whether the service itself refused. */
export function isRefused(stated: Stated): boolean {
  return failedReasons([stated]).some((reason) => factsOf(reason).isRefusal);
}

/** Tells whether a standstill of this machine can be behind what is stated. */
export function isOfTime(stated: Stated): boolean {
  const reason = reasonOf(stated);
  return reason !== undefined && factsOf(reason).isOfTime === true;
}

/** Adds to a finding its code, what that means here, and in the evidence what was seen. */
export function withReason<Of extends Required<Pick<Stated, 'evidence'>>>(
  finding: Of,
  reason: Reason,
) {
  const { code, ...seen } = splitReason(reason);
  const { cause, remedy } = factsOf(reason);
  const { seen: _, ...evidence } = finding.evidence;
  return { ...finding, code, cause, remedy, evidence: { ...seen, ...evidence } };
}

/** Writes what was seen before the evidence of a cause, which is one text. */
export function withSeen(reason: Reason, evidence: string): string {
  const { seen } = splitReason(reason);
  return [seen === undefined ? '' : `seen=${seen}`, evidence].filter(Boolean).join(', ');
}

/** Reads the reason of a cause, and its evidence without what {@link withSeen} wrote before it. */
export function readSeen(cause: { readonly code: string; readonly evidence: string }) {
  const [, seen, evidence = cause.evidence] =
    /^seen=([^,;]+)(?:, )?(.*)$/s.exec(cause.evidence) ?? [];
  return { reason: reasonOf({ code: cause.code, evidence: { seen } }), evidence };
}

/** A cause or a finding: the evidence is text or facts. */
export interface Explained {
  readonly code: string;
  readonly evidence?: string | Readonly<Record<string, unknown>>;
}

/** The title of what a report explains; a code of others is its own. */
export function titleOf({ code, evidence = {} }: Explained): string {
  const reason =
    typeof evidence === 'string' ? reasonOfCause({ code, evidence }) : reasonOf({ code, evidence });
  return reason === undefined ? code : factsOf(reason).title;
}

/** The reason that a finding or a probe states, in one text; undefined where it states no code. */
export function reasonText(stated: Pick<Stated, 'code' | 'evidence'>): string | undefined {
  return reasonOf(stated) ?? stated.code;
}

/** The reason of a cause. */
export function reasonOfCause(cause: Parameters<typeof readSeen>[0]): Reason | undefined {
  return readSeen(cause).reason;
}
