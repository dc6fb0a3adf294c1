import type { Attempt } from './attempt-link.js';
import { attemptUntilSettled, type Settled } from './attempt-until-settled.js';
import { changesSince } from './baseline/changes-since.js';
import { diagnose } from './diagnosis/diagnose.js';
import { factsFrom } from './diagnosis/facts.js';
import { linkContext } from './link-context.js';
import type { VerifiableLink } from './options.js';
import { runProbes } from './probes/run-probes.js';
import { proxyNote } from './proxy/proxy-note.js';
import type { RunContext } from './run-context.js';
import { verdictOf } from './verdict.js';
import type { LinkResult, ProbeResult } from './verification.js';

export const RUN_TIMEOUT_MS = 60_000;

export interface CheckedLink {
  readonly result: LinkResult;
  readonly skewMs: number | undefined;
}

/**
 * Checks a link, and again while it fails only for what may heal and the time to wait lasts, or
 * until it has passed often enough in a row. A link that still fails is then looked into.
 *
 * @param startedAt milliseconds of `performance.now()`, when the run began
 */
export async function checkLink(
  run: RunContext,
  link: VerifiableLink,
  startedAt: number,
): Promise<CheckedLink> {
  const { timeoutMs = RUN_TIMEOUT_MS, baseline, onProgress } = run.options;
  const start = performance.now();
  const settled = await attemptUntilSettled(run, link, startedAt, timeoutMs);
  const { attempt } = settled;
  const probes = await runProbes(run, link, attempt, timeoutMs);
  const result = resultOf(run, link, settled, probes, performance.now() - start);
  onProgress?.({ kind: 'link', link: link.name, verdict: result.verdict });
  const changes = baseline && changesSince(baseline, result, link);
  return {
    result: changes ? { ...result, changes } : result,
    skewMs: attempt.seen.skewMs,
  };
}

function resultOf(
  run: RunContext,
  link: VerifiableLink,
  { attempt, attempts, passes, failures }: Settled,
  probes: readonly ProbeResult[],
  elapsedMs: number,
): LinkResult {
  const { findings, seen } = attempt;
  return {
    name: link.name,
    via: link.via,
    baseUrl: link.baseUrl,
    verdict: verdictOf(findings),
    elapsedMs: Math.round(elapsedMs),
    attempts,
    accessDigest: link.accessDigest ?? '',
    notes: [...seen.notes, ...notesOf(run, link, attempt, failures)],
    reroutes: [...seen.reroutes].map(([from, to]) => ({ from, to })),
    ...diagnosisOf(run, link, attempt, probes),
    stages: [...findings],
    ...(probes.length > 0 && { probes: [...probes] }),
    ...((run.options.settle ?? 1) > 1 && { passes }),
  };
}

function diagnosisOf(
  run: RunContext,
  link: VerifiableLink,
  { findings, seen }: Attempt,
  probes: readonly ProbeResult[],
): Pick<LinkResult, 'causes' | 'ruledOut'> {
  const context = { ...linkContext(run, link, new AbortController().signal, 0), seen };
  return diagnose(factsFrom(context, findings, probes));
}

function notesOf(
  run: RunContext,
  link: VerifiableLink,
  { findings, seen }: Attempt,
  failures: readonly string[],
): string[] {
  const hasPassed = findings.every(({ status }) => status !== 'failed');
  const note = proxyNote(run, link, seen.addresses);
  return [
    ...(note === undefined ? [] : [note]),
    ...(hasPassed && failures.length > 0 ? [`failed before it passed: ${counted(failures)}`] : []),
  ];
}

function counted(codes: readonly string[]): string {
  return [...new Set(codes)]
    .map((code) => `${code} ×${codes.filter((one) => one === code).length}`)
    .join(', ');
}
