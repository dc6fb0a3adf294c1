import { setTimeout as sleep } from 'node:timers/promises';
import { type Code, factsOf, isCode } from '../codes/codes.js';
import { type Attempt, attemptLink } from './attempt-link.js';
import { causesOf, ruledOutBy } from './causes.js';
import type { VerifiableLink } from './options.js';
import type { RunContext } from './run-context.js';
import { verdictOf } from './verdict.js';
import type { Finding, LinkResult } from './verification.js';

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 15_000;
export const RUN_TIMEOUT_MS = 60_000;

export interface CheckedLink {
  readonly result: LinkResult;
  readonly skewMs: number | undefined;
}

/**
 * Checks a link, and again while it fails only for what may heal and the time to wait lasts.
 *
 * @param startedAt milliseconds of `performance.now()`, when the run began
 */
export async function checkLink(
  run: RunContext,
  link: VerifiableLink,
  startedAt: number,
): Promise<CheckedLink> {
  const { timeoutMs = RUN_TIMEOUT_MS, waitMs = 0, signal, onProgress } = run.options;
  const waitUntil = startedAt + waitMs;
  const start = performance.now();
  let attempts = 1;
  let attempt = await attemptLink(run, link, startedAt + timeoutMs);
  for (;;) {
    const code = healingCode(attempt.findings);
    const leftMs = waitUntil - performance.now();
    if (code === undefined || leftMs <= 0 || signal?.aborted) break;
    const nextInMs = Math.min(delayMs(run, attempts), leftMs);
    onProgress?.({ kind: 'retry', link: link.name, attempt: attempts, code, nextInMs });
    if (!(await slept(nextInMs, signal))) break;
    attempts += 1;
    attempt = await attemptLink(run, link, performance.now() + timeoutMs);
  }
  const result = resultOf(link, attempt, attempts, performance.now() - start);
  onProgress?.({ kind: 'link', link: link.name, verdict: result.verdict });
  return { result, skewMs: attempt.seen.skewMs };
}

/** The first code of a failure, when every failure of the attempt may heal by itself. */
function healingCode(findings: readonly Finding[]): Code | undefined {
  const codes = findings
    .filter(({ status }) => status === 'failed')
    .map(({ code = '' }) => (isCode(code) ? code : 'internal.bug'));
  return codes.every((code) => factsOf(code).kind === 'retryable') ? codes[0] : undefined;
}

/** Doubles with each attempt; the spread keeps many checks from calling in step. */
function delayMs({ options }: RunContext, attempts: number): number {
  const full = (options.retryDelayMs ?? FIRST_DELAY_MS) * 2 ** (attempts - 1);
  return Math.min(full, LONGEST_DELAY_MS) * (0.75 + Math.random() / 4);
}

async function slept(ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await sleep(ms, undefined, signal && { signal });
    return true;
  } catch {
    return false;
  }
}

function resultOf(
  link: VerifiableLink,
  { findings, seen }: Attempt,
  attempts: number,
  elapsedMs: number,
): LinkResult {
  return {
    name: link.name,
    via: link.via,
    baseUrl: link.baseUrl,
    verdict: verdictOf(findings),
    elapsedMs: Math.round(elapsedMs),
    attempts,
    accessDigest: link.accessDigest ?? '',
    notes: [...seen.notes],
    reroutes: [...seen.reroutes].map(([from, to]) => ({ from, to })),
    causes: causesOf(findings),
    ruledOut: ruledOutBy(findings),
    stages: [...findings],
  };
}
