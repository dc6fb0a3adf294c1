import type { Code } from '../../codes/codes.js';
import type { LooseEvidence } from '../model/findings.js';
import type { Evidence, Finding, ProbeName, ProbeResult } from '../model/verification.js';
import type { LinkContext } from '../transport/link-context.js';

/** A link that failed, with everything that was seen of it, and time of its own for the probes. */
export interface ProbeContext extends LinkContext {
  readonly findings: readonly Finding[];
}

/** Tries the link with one thing changed. It sends no credential unless it says so. */
export interface Probe {
  readonly applies: (context: ProbeContext) => boolean;
  readonly run: (context: ProbeContext) => Promise<readonly ProbeResult[]>;
}

/** The codes that the link failed with. */
export function failedCodes({ findings }: Pick<ProbeContext, 'findings'>): string[] {
  return findings.flatMap(({ status, code }) => (status === 'failed' && code ? [code] : []));
}

/** Whether the link failed with a code that begins like one of these. */
export function failedWith(context: ProbeContext, ...starts: readonly string[]): boolean {
  return failedCodes(context).some((code) => starts.some((start) => code.startsWith(start)));
}

/** The addresses whose finding failed with a code that begins like one of these. */
export function addressesFailedWith(
  { findings }: ProbeContext,
  ...starts: readonly string[]
): string[] {
  return findings.flatMap(({ status, code = '', address }) =>
    status === 'failed' && address !== undefined && starts.some((start) => code.startsWith(start))
      ? [address]
      : [],
  );
}

interface Outcome {
  readonly ok: boolean;
  readonly code?: Code | undefined;
  readonly evidence: LooseEvidence;
}

/** Measures one try and puts it into the form of the report. */
export async function probed(
  name: ProbeName,
  changed: string,
  work: () => Promise<Outcome>,
): Promise<ProbeResult> {
  const start = performance.now();
  const { ok, code, evidence } = await work();
  const known = Object.entries(evidence).filter(([, value]) => value !== undefined);
  return {
    name,
    changed,
    ok,
    ...(code !== undefined && { code }),
    elapsedMs: Math.round((performance.now() - start) * 10) / 10,
    evidence: Object.fromEntries(known) as Evidence,
  };
}
