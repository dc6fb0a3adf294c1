import { setTimeout as sleep } from 'node:timers/promises';
import { type Code, factsOf, isCode } from '../../codes/codes.js';
import { timerMs } from '../../service/http/limits.js';
import { failed } from '../model/findings.js';
import { type RunOptions, settingName, type VerifiableLink } from '../model/options.js';
import type { Finding } from '../model/verification.js';
import type { Attempt } from '../transport/link-context.js';
import type { RunContext } from '../transport/run-context.js';
import { attemptLink } from './attempt-link.js';
import { retryDelay } from './retry-delay.js';

export interface Settled {
  readonly attempt: Attempt;
  readonly attempts: number;
  /** In a row, at the end. */
  readonly passes: number;
  /** The codes of the attempts before the last that failed. */
  readonly failures: readonly string[];
  /** Why it was not tried again although there was time. */
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
  timeoutMs: number,
): Promise<Settled> {
  const { waitMs = 0, settle: wanted = 1, retryDelayMs, signal, onProgress } = run.options;
  const waitUntil = startedAt + waitMs;
  const failures: Code[] = [];
  let passes = 0;
  let inARow = 0;
  for (let attempts = 1; ; attempts += 1) {
    const begin = attempts === 1 ? startedAt : performance.now();
    const attempt = await attemptLink(run, link, begin + timeoutMs);
    const codes = failedCodes(attempt.findings);
    const done = (...notes: string[]): Settled => ({ attempt, attempts, passes, failures, notes });
    passes = codes.length === 0 ? passes + 1 : 0;
    if (passes >= wanted) return done();
    const [code] = codes;
    const leftMs = waitUntil - performance.now();
    const isOver = code !== undefined && (leftMs <= 0 || !codes.every(isTransient));
    if (isOver || signal?.aborted) return code === undefined ? cutOff(done(), wanted) : done();
    const asked = askedMs(attempt.findings);
    if (code !== undefined && asked > leftMs) return done(tooLong(asked, leftMs, run.options));
    inARow = code === undefined ? 0 : inARow + 1;
    const nextInMs = retryDelay({
      firstMs: retryDelayMs,
      failuresInARow: inARow,
      askedMs: asked,
      leftMs: code === undefined ? undefined : leftMs,
    });
    if (code === undefined) {
      onProgress?.({ kind: 'pass', link: link.name, attempt: attempts, passes, wanted });
    } else {
      onProgress?.({ kind: 'retry', link: link.name, attempt: attempts, code, nextInMs });
    }
    if (!(await slept(nextInMs, signal)))
      return code === undefined ? cutOff(done(), wanted) : done();
    if (code !== undefined) failures.push(code);
  }
}

function failedCodes(findings: readonly Finding[]): Code[] {
  return findings
    .filter(({ status }) => status === 'failed')
    .map(({ code = '' }) => (isCode(code) ? code : 'internal.bug'));
}

function isTransient(code: Code): boolean {
  return factsOf(code).kind === 'retryable';
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

/** The longest time that an answer asks to stay away. */
function askedMs(findings: readonly Finding[]): number {
  const seconds = findings.map(({ evidence }) => Number(evidence.retryAfterSeconds ?? 0));
  return Math.max(0, ...seconds) * 1_000;
}

async function slept(ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await sleep(timerMs(ms), undefined, signal && { signal });
    return true;
  } catch {
    return false;
  }
}
