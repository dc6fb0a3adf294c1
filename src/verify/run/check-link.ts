import type { Diagnosis } from '../diagnosis/diagnose.js';
import { countEach, failed, firstFailure, inTermsOf, warned } from '../model/findings.js';
import type { VerifiableLink } from '../model/options.js';
import { decideVerdict } from '../model/verdict.js';
import type { Finding, LinkResult, ProbeResult, TouchedHost } from '../model/verification.js';
import { type Attempt, DialledHosts, type RunContext } from '../transport/context.js';
import { proxyNotes } from '../transport/proxy/environment-proxy.js';
import { attemptUntilSettled, type Settled } from './retry.js';

/**
 * Checks a link, and again while its failures are transient and the time to wait lasts, or
 * until it has passed often enough in a row. A link that still fails is then looked into.
 *
 * @param startedAt milliseconds of `performance.now()`, when the run began
 */
export async function checkLink(
  shared: RunContext,
  link: VerifiableLink,
  startedAt: number,
): Promise<{ readonly result: LinkResult; readonly skewMs: number | undefined }> {
  const run = { ...shared, dialled: new DialledHosts() };
  const { onProgress, signal } = run.options;
  const start = performance.now();
  const settled = await attemptUntilSettled(run, link, startedAt);
  const diagnosis = await diagnoseAttempt(settled.attempt);
  const attempt = withVouching(cutShort(settled.attempt, signal), link);
  const all = { ...settled, ...diagnosis, attempt };
  const result = makeResult(link, all, performance.now() - start);
  onProgress?.({ kind: 'link', link: link.name, verdict: result.verdict });
  return { result, skewMs: settled.attempt.seen.skewMs };
}

/** A host that only a file names may be anybody's. */
function withVouching(attempt: Attempt, { isHostVouched }: VerifiableLink): Attempt {
  if (isHostVouched !== false) return attempt;
  const evidence = { host: attempt.host };
  const warning = warned('preflight', 'link.host-not-vouched', { evidence });
  return { ...attempt, findings: [warning, ...attempt.findings] };
}

/** A link that failed, and was neither tried again nor looked into as long as it should have been. */
function cutShort(attempt: Attempt, signal: AbortSignal | undefined): Attempt {
  const { findings } = attempt;
  const isMarked = findings.some(({ code }) => code === 'run.interrupted');
  if (!signal?.aborted || !hasFailed(attempt) || isMarked) return attempt;
  const last = findings.at(-1);
  const seen = last?.status === 'skipped' ? findings.slice(0, -1) : findings;
  const finding = failed(last?.stage ?? 'preflight', 'run.interrupted');
  return { ...attempt, findings: [...seen, finding] };
}

/**
 * Loads what only a failure needs before there are many connections: these are files too, and may
 * leave none to load it with.
 */
export async function loadDiagnosis(): Promise<void> {
  await import('../diagnosis/diagnose.js');
}

/** Loads the diagnosis, which only a failure needs. */
async function diagnoseAttempt(attempt: Attempt): Promise<Diagnosis> {
  if (!hasFailed(attempt)) return { causes: [], ruledOut: [], probes: [] };
  attempt.run.options.onProgress?.({ kind: 'probes', link: attempt.link.name });
  const { diagnoseLink } = await import('../diagnosis/diagnose.js');
  return await diagnoseLink(attempt);
}

function makeResult(
  link: VerifiableLink,
  { attempt, attempts, passes, failures, notes, causes, ruledOut, probes }: Settled & Diagnosis,
  elapsedMs: number,
): LinkResult {
  const { findings, seen, run } = attempt;
  const hosts = [...askedResolvers(findings, probes), ...run.dialled.all()];
  const isHealed = failures.length > 0 && !hasFailed(attempt);
  return {
    name: link.name,
    via: link.via,
    baseUrl: link.baseUrl,
    verdict: decideVerdict(findings),
    elapsedMs: Math.round(elapsedMs),
    attempts,
    accessDigest: link.accessDigest ?? '',
    notes: [
      ...seen.notes,
      ...notes,
      ...proxyNotes(attempt),
      ...(isHealed ? [`failed before it passed: ${countEach(failures)}`] : []),
    ],
    connectTo: [...seen.connectTo].map(([from, to]) => ({ from, to })),
    causes,
    ruledOut,
    stages: findings.map((finding) => inTermsOf(link, finding)),
    ...(probes.length > 0 && { probes: [...probes] }),
    ...((run.options.settle ?? 1) > 1 && { passes }),
    ...(hosts.length > 0 && { hosts }),
  };
}

function hasFailed({ findings }: Attempt): boolean {
  return firstFailure(findings) !== undefined;
}

const RESOLVERS: readonly string[] = ['resolver', 'same-resolver'];

/** The DNS servers that were asked, `system` for whatever the system's resolver asks. */
function askedResolvers(
  findings: readonly Finding[],
  probes: readonly ProbeResult[],
): TouchedHost[] {
  const asked = [
    ...findings.flatMap(({ stage, evidence }) => (stage === 'dns' ? (evidence.server ?? []) : [])),
    ...probes.flatMap(({ name, changed }) => (RESOLVERS.includes(name) ? changed : [])),
  ];
  return [...new Set(asked.map(String))].map((server) => {
    const [, host = server, port] = /^\[?(.+?)\]?:(\d+)$/.exec(server) ?? [];
    return { use: 'resolver', host, ...(port !== undefined && { port: Number(port) }) };
  });
}
