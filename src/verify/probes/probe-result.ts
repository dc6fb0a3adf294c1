import type { Code } from '../../codes/codes.js';
import type { LooseEvidence } from '../model/findings.js';
import type { Evidence, ProbeName, ProbeResult } from '../model/verification.js';

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
