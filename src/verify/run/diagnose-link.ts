import type { Link } from '../../link/link.js';
import { diagnose } from '../diagnosis/diagnose.js';
import { factsFrom } from '../diagnosis/facts.js';
import type { LinkResult, ProbeResult } from '../model/verification.js';
import { runProbes } from '../probes/index.js';
import type { Attempt } from '../transport/link-context.js';
import { linkContext } from '../transport/link-context.js';
import type { RunContext } from '../transport/run-context.js';

/** Looks into a link that failed: runs the probes, then ranks the causes. */
export async function diagnoseLink(
  run: RunContext,
  link: Link,
  attempt: Attempt,
  timeoutMs: number,
): Promise<Pick<LinkResult, 'causes' | 'ruledOut'> & { probes: readonly ProbeResult[] }> {
  const { findings, seen } = attempt;
  const probes = await runProbes(run, link, attempt, timeoutMs);
  const context = { ...linkContext(run, link, new AbortController().signal, 0), seen };
  return { ...diagnose(factsFrom(context, findings, probes)), probes };
}
