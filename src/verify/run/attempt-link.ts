import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Code } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { isOfTime, isRefused } from '../../codes/stated.js';
import type { Link } from '../../link/link.js';
import { untilAborted } from '../../service/http/limits.js';
import { TimeLimit } from '../../service/http/time-limit.js';
import { blocked, failed, failedBy, firstFailure, isBlocked, roundMs } from '../model/findings.js';
import { RUN_TIMEOUT_MS, type VerifiableLink } from '../model/options.js';
import type { Finding } from '../model/verification.js';
import { STAGE_NAMES, type StageName } from '../model/verification-names.js';
import { address } from '../stages/address.js';
import { dns } from '../stages/dns.js';
import { http } from '../stages/http.js';
import { preflight } from '../stages/preflight.js';
import { tcp } from '../stages/tcp.js';
import { tls } from '../stages/tls.js';
import { token } from '../stages/token.js';
import { workspaces } from '../stages/workspaces.js';
import {
  type Attempt,
  type LinkContext,
  linkContext,
  type RunContext,
  type Stage,
  tokenKey,
} from '../transport/context.js';
import { observe } from '../transport/observe.js';

const REPEATED =
  'an attempt during which this machine stood still, and which failed, was repeated and does not count';

/**
 * Takes a link through all stages, and once more where it fails while this process or its machine
 * stands still. What both attempts lost to that is told as `run.machine-paused`.
 *
 * @param deadline milliseconds of `performance.now()`
 */
export async function attemptObserved(
  run: RunContext,
  link: VerifiableLink,
  deadline: number,
): Promise<Attempt> {
  const { signal, timeoutMs = RUN_TIMEOUT_MS } = run.options;
  const { seen, isRepeated, wasPaused } = await observe(
    (isAgain) => attemptLink(run, link, isAgain ? performance.now() + timeoutMs : deadline),
    ({ findings }) => !signal?.aborted && firstFailure(findings) !== undefined,
  );
  if (isRepeated) seen.seen.notes.add(REPEATED);
  return wasPaused ? { ...seen, findings: seen.findings.flatMap(withoutPause) } : seen;
}

/** Replaces a finding that may come from the standstill: it says nothing of the link. */
function withoutPause(finding: Finding): Finding[] {
  const { stage, status, startMs, elapsedMs, address } = finding;
  if (!isOfTime(finding) || status === 'skipped') return [finding];
  if (status === 'warned') return [];
  return [failed(stage, 'run.machine-paused', { startMs, elapsedMs, address })];
}

/**
 * Takes a link through all stages once; nothing of it stays open afterwards.
 *
 * @param deadline milliseconds of `performance.now()`
 */
async function attemptLink(run: RunContext, link: Link, deadline: number): Promise<Attempt> {
  const { tokens } = run.options;
  const key = tokenKey(run, link);
  const earlier = tokens?.get(key);
  const attempt = await attemptOnce(run, link, deadline);
  // With a token of its own it is a fact; with one of an earlier check it may be the token's.
  if (earlier === undefined || !attempt.findings.some(isRefused)) return attempt;
  // The service may have taken the token back, or given it before the permissions changed.
  tokens?.discard(key);
  return await attemptOnce(run, link, deadline);
}

async function attemptOnce(run: RunContext, link: Link, deadline: number): Promise<Attempt> {
  const own = new AbortController();
  // Each step of each path listens.
  setMaxListeners(0, own.signal);
  const outside = run.options.signal;
  const end = (code: Code, message: string) => own.abort(new ConnectivityError(code, message));
  const interrupt = () => end('run.interrupted', 'the run was interrupted');
  outside?.addEventListener('abort', interrupt, { once: true });
  if (outside?.aborted) interrupt();
  const tooLate = () => end('run.deadline', 'the time for the run is over');
  const limit = new TimeLimit(deadline - performance.now(), tooLate);
  const context = linkContext(run, link, own.signal, deadline);
  try {
    // A timer fires a millisecond late at best: what begins after the time is cut off by the clock.
    const cutOff = () => {
      if (limit.isPast) tooLate();
    };
    return { ...context, findings: await runStages(context, cutOff) };
  } finally {
    limit.end();
    outside?.removeEventListener('abort', interrupt);
    own.abort(new ConnectivityError('run.interrupted', 'the attempt is over'));
    await Promise.all(context.seen.paths.map((path) => path.close()));
  }
}

async function runStages(context: LinkContext, cutOff: () => void): Promise<Finding[]> {
  const { link, run } = context;
  const findings: Finding[] = [];
  let blockedBy: StageName | undefined;
  const end = run.connectOnly ? STAGE_NAMES.indexOf('http') : undefined;
  for (const stage of STAGE_NAMES.slice(0, end)) {
    if (blockedBy !== undefined) {
      findings.push(blocked(stage, blockedBy));
      continue;
    }
    run.options.onProgress?.({ kind: 'stage', link: link.name, stage });
    cutOff();
    const startMs = roundMs(performance.now() - context.startedAt);
    // Stages judge what paths have done by themselves, which may have begun before the stage did.
    const found = (await runStage(stage, context)).map((one) =>
      one.status === 'skipped' || one.startMs !== undefined ? one : { ...one, startMs },
    );
    findings.push(...found);
    if (found.every(isDeadEnd)) blockedBy = stage;
  }
  return findings;
}

/** Leaves the next stage nothing to work on. */
function isDeadEnd(finding: Finding): boolean {
  return finding.status === 'failed' || isBlocked(finding);
}

/** The findings of a stage; one that is cut off may still say at once what it has seen. */
async function lastWord(work: ReturnType<Stage>, signal: AbortSignal): ReturnType<Stage> {
  const cut = async () => {
    await nextTurn();
    throw signal.reason;
  };
  return await untilAborted(work, signal).catch(() => Promise.race([work, cut()]));
}

async function runStage(stage: StageName, context: LinkContext): Promise<readonly Finding[]> {
  const { signal } = context;
  const start = performance.now();
  try {
    signal.throwIfAborted();
    const findings = await lastWord(STAGES[stage](context), signal);
    if (!(signal.aborted && firstFailure(findings))) return findings;
  } catch (error) {
    if (!signal.aborted) return [failedBy(stage, error)];
  }
  // What failed while the run was being cut off says nothing about the link.
  const { reason } = signal;
  const why = reason instanceof ConnectivityError ? reason.reason : 'internal.bug';
  return [failed(stage, why, { elapsedMs: performance.now() - start })];
}

/** The stages of every check of a link. */
const STAGES: Readonly<Record<StageName, Stage>> = {
  preflight,
  dns,
  address,
  tcp,
  tls,
  http,
  token,
  workspaces,
};
