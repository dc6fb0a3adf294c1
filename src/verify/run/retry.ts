import { factsOf, type Reason, splitReason } from '../../codes/codes.js';
import { failedReasons } from '../../codes/stated.js';
import { failed } from '../model/findings.js';
import {
  RUN_TIMEOUT_MS,
  RUN_WAIT_MS,
  type RunOptions,
  settingName,
  type VerifiableLink,
} from '../model/options.js';
import type { Finding } from '../model/verification.js';
import type { Attempt, RunContext } from '../transport/context.js';
import { attemptObserved } from './attempt-link.js';
import { pause, retryDelay } from './pause.js';

export interface Settled {
  readonly attempt: Attempt;
  readonly attempts: number;
  /** In a row, at the end. */
  readonly passes: number;
  /** The reasons of the attempts before the last that failed. */
  readonly failures: readonly string[];
  /** The reason for not trying again although there was time. */
  readonly notes: readonly string[];
}

/**
 * Tries a link again while its failures are transient and the time to wait lasts. It is settled
 * when it has passed as often in a row as is wanted; what is final ends it at once.
 *
 * @param startedAt milliseconds of `performance.now()`, when the run began
 */
export async function attemptUntilSettled(
  run: RunContext,
  link: VerifiableLink,
  startedAt: number,
): Promise<Settled> {
  const { timeoutMs = RUN_TIMEOUT_MS, waitMs = RUN_WAIT_MS, settle: wanted = 1 } = run.options;
  const { signal, onProgress } = run.options;
  const waitUntil = startedAt + waitMs;
  const failures: Reason[] = [];
  let passes = 0;
  let inARow = 0;
  for (let attempts = 1; ; attempts += 1) {
    const begin = attempts === 1 ? startedAt : performance.now();
    const attempt = await attemptObserved(run, link, begin + timeoutMs);
    const reasons = failedReasons(attempt.findings);
    const done = (...notes: string[]): Settled => ({ attempt, attempts, passes, failures, notes });
    const stop = () => (reasons.length === 0 ? cutOff(done(), wanted) : done());
    passes = reasons.length === 0 ? passes + 1 : 0;
    if (passes >= wanted) return done();
    const [reason] = reasons;
    const leftMs = waitUntil - performance.now();
    const isOver =
      reason !== undefined && (leftMs <= 0 || !reasons.every((one) => factsOf(one).isRetryable));
    if (isOver || signal?.aborted) return stop();
    const asked = askedMs(attempt.findings);
    if (reason !== undefined && asked > leftMs) return done(tooLong(asked, leftMs, run.options));
    inARow = reason === undefined ? 0 : inARow + 1;
    const mostMs = reason === undefined ? undefined : leftMs;
    const nextInMs = retryDelay(inARow, run.options, mostMs, asked);
    const common = { link: link.name, attempt: attempts };
    onProgress?.(
      reason === undefined
        ? { kind: 'pass', ...common, passes, wanted }
        : { kind: 'retry', ...common, code: splitReason(reason).code, nextInMs },
    );
    if (!(await pause(nextInMs, signal))) return stop();
    if (reason !== undefined) failures.push(reason);
  }
}

/** A link that passed, but was not seen to pass often enough, is not settled. */
function cutOff({ attempt, ...rest }: Settled, wanted: number): Settled {
  const evidence = { passes: rest.passes, wanted };
  const last = attempt.findings.at(-1)?.stage ?? 'workspaces';
  const finding = failed(last, 'run.interrupted', { evidence });
  return { ...rest, attempt: { ...attempt, findings: [...attempt.findings, finding] } };
}

/** A service that says how long to stay away is obeyed, also where that is longer than the run. */
function tooLong(asked: number, leftMs: number, options: RunOptions): string {
  const [askedFor, left] = [asked, leftMs].map((ms) => `${(ms / 1_000).toFixed(0)} s`);
  return `not retried: the service asks callers to wait for ${askedFor}, and \`${settingName(options, 'waitMs')}\` leaves ${left}`;
}

function askedMs(findings: readonly Finding[]): number {
  const seconds = findings.map(({ evidence }) => Number(evidence.retryAfterSeconds ?? 0));
  return Math.max(0, ...seconds) * 1_000;
}
