import { ConnectivityError } from '../../codes/connectivity-error.js';
import type { Link } from '../../link/link.js';
import { Stop, type StopSignal, timerMs } from '../../service/http/limits.js';
import { blocked, failed, failedBy, firstFailure } from '../model/findings.js';
import { isRefused } from '../model/verdict.js';
import type { Finding, StageName } from '../model/verification.js';
import { stagesFor } from '../stages/index.js';
import {
  type Attempt,
  type LinkContext,
  linkContext,
  type RunContext,
  type Seen,
  type Stage,
  type StageResult,
  tokenKey,
} from '../transport/context.js';

/** Nobody reads it, and making an error takes time. */
const ENDED = new ConnectivityError('run.interrupted', 'the attempt is over');

/**
 * Takes a link through all stages once; nothing of it stays open afterwards.
 *
 * @param deadline milliseconds of `performance.now()`
 */
export async function attemptLink(run: RunContext, link: Link, deadline: number): Promise<Attempt> {
  const { tokens } = run.options;
  if (tokens === undefined) return await attemptOnce(run, link, deadline);
  const key = tokenKey(run, link);
  const earlier = tokens.get(key);
  const attempt = await attemptOnce(run, link, deadline);
  // With a token of its own it is a fact; with one of an earlier check it may be the token's.
  const isOutworn = earlier !== undefined && attempt.findings.some(isRefused);
  if (!isOutworn) return attempt;
  // The service may have taken the token back, or given it before the permissions changed.
  tokens.discard(key);
  return await attemptOnce(run, link, deadline);
}

async function attemptOnce(run: RunContext, link: Link, deadline: number): Promise<Attempt> {
  const own = new Stop();
  const { signal: outside } = run.options;
  const interrupt = () => own.abort(interrupted());
  outside?.addEventListener('abort', interrupt, { once: true });
  if (outside?.aborted) interrupt();
  const timer = setTimeout(() => own.abort(tooLate()), timerMs(deadline - performance.now()));
  const context = linkContext(run, link, own, deadline);
  // Before the first stage: the time it takes is no stage's.
  if (!context.isPlain) run.secureContext();
  try {
    return { findings: await runStages(context), seen: context.seen };
  } finally {
    clearTimeout(timer);
    outside?.removeEventListener('abort', interrupt);
    own.abort(ENDED);
    await Promise.all(context.seen.paths.map((path) => path.close()));
  }
}

async function runStages(context: LinkContext): Promise<Finding[]> {
  const { link, run } = context;
  const passStartedAt = performance.now();
  const ending = new Ending(context.signal);
  const findings: Finding[] = [];
  const asides: Aside[] = [];
  let blockedBy: StageName | undefined;
  for (const stage of stagesFor(run.options)) {
    if (blockedBy !== undefined) {
      findings.push(blocked(stage.name, blockedBy));
      continue;
    }
    run.options.onProgress?.({ kind: 'stage', link: link.name, stage: stage.name });
    const stageStartedAt = performance.now();
    const result = await runStage(stage, context, ending);
    const times = { passStartedAt, stageStartedAt };
    for (const finding of result.findings) {
      findings.push(withStart(finding, context.seen, times));
    }
    if (result.aside) asides.unshift({ found: result.aside, times, at: findings.length });
    if (!result.goOn) blockedBy = stage.name;
  }
  if (firstFailure(findings)) return findings;
  for (const { found, times, at } of asides) {
    const beside = await ending.before(found).catch(() => []);
    findings.splice(at, 0, ...beside.map((finding) => withStart(finding, context.seen, times)));
  }
  return findings;
}

/** What a stage finds beside those that follow, and its place among the findings. */
interface Aside {
  readonly found: Promise<readonly Finding[]>;
  readonly times: Times;
  readonly at: number;
}

async function runStage(stage: Stage, context: LinkContext, ending: Ending): Promise<StageResult> {
  const { signal } = context;
  const start = performance.now();
  try {
    signal.throwIfAborted();
    const result = await ending.before(stage.run(context));
    if (!(signal.aborted && firstFailure(result.findings))) return result;
  } catch (error) {
    if (!signal.aborted) return { findings: [failedBy(stage.name, error)], goOn: false };
  }
  // What failed while the run was being cut off says nothing about the link.
  const code = signal.reason instanceof ConnectivityError ? signal.reason.code : 'internal.bug';
  const finding = failed(stage.name, code, { elapsedMs: performance.now() - start });
  return { findings: [finding], goOn: false };
}

/** Cuts off one wait after the other when the signal ends. */
class Ending {
  #cut: ((reason: unknown) => void) | undefined;

  constructor(readonly signal: StopSignal) {
    signal.addEventListener('abort', () => this.#cut?.(signal.reason), { once: true });
  }

  /** @throws the signal's reason where it ends first */
  before<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#cut = reject;
      if (this.signal.aborted) reject(this.signal.reason);
      work.then(resolve, reject);
    });
  }
}

function interrupted(): ConnectivityError {
  return new ConnectivityError('run.interrupted', 'the run was interrupted');
}

function tooLate(): ConnectivityError {
  return new ConnectivityError('run.deadline', 'the time for the run is over');
}

/** Milliseconds of `performance.now()`. */
interface Times {
  readonly passStartedAt: number;
  readonly stageStartedAt: number;
}

/**
 * Adds to a finding when what it reports began. Stages judge what paths have done by themselves, so
 * that may have begun before the stage did.
 */
function withStart(
  finding: Finding,
  seen: Seen,
  { passStartedAt, stageStartedAt }: Times,
): Finding {
  if (finding.status === 'skipped') return finding;
  const startedAt = pathStart(finding, seen) ?? stageStartedAt;
  return { ...finding, startMs: Math.round((startedAt - passStartedAt) * 10) / 10 };
}

/** @returns undefined where the stage itself did the work */
function pathStart({ stage, address }: Finding, { paths, carrier }: Seen): number | undefined {
  if (stage === 'token') {
    const first = carrier?.ended.answer;
    return first?.ok && first.value.claims !== undefined ? first.startedAt : undefined;
  }
  if (stage !== 'tcp' && stage !== 'tls' && stage !== 'http') return undefined;
  const { ended } = paths.find((one) => one.address === address) ?? {};
  return ended?.[stage === 'http' ? 'answer' : stage]?.startedAt;
}
