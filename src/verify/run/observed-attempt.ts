import { awakeClock } from '../../service/http/awake-clock.js';
import { failed, firstFailure } from '../model/findings.js';
import { RUN_TIMEOUT_MS, type VerifiableLink } from '../model/options.js';
import type { Finding } from '../model/verification.js';
import type { Attempt, RunContext } from '../transport/context.js';
import { isOfTime, observe } from '../transport/observe.js';
import { attemptLink } from './attempt-link.js';

const REPEATED =
  'an attempt during which this machine stood still, and which failed, was repeated and does not count';

/**
 * Takes a link through all stages, and once more where it fails while this process or its machine
 * stands still. What both attempts lost to that is told as `run.machine-paused`.
 *
 * @param deadline milliseconds of the `awakeClock`
 */
export async function attemptObserved(
  run: RunContext,
  link: VerifiableLink,
  deadline: number,
): Promise<Attempt> {
  const { signal, timeoutMs = RUN_TIMEOUT_MS } = run.options;
  const { seen, isRepeated, wasPaused } = await observe(
    (isAgain) => attemptLink(run, link, isAgain ? awakeClock.now() + timeoutMs : deadline),
    ({ findings }) => !signal?.aborted && firstFailure(findings) !== undefined,
  );
  if (isRepeated) seen.seen.notes.add(REPEATED);
  return wasPaused ? { ...seen, findings: seen.findings.flatMap(withoutPause) } : seen;
}

const REQUEST_TIMEOUT = 408;

/** Replaces a finding that may come from the standstill: it says nothing of the link. */
function withoutPause(finding: Finding): Finding[] {
  const { stage, status, code, startMs, elapsedMs, address, evidence } = finding;
  const isDoubtful = isOfTime(code) || evidence.httpStatus === REQUEST_TIMEOUT;
  if (!isDoubtful || status === 'skipped') return [finding];
  if (status === 'warned') return [];
  return [failed(stage, 'run.machine-paused', { startMs, elapsedMs, address })];
}
