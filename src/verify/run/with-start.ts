import type { Finding } from '../model/verification.js';
import type { Seen } from '../transport/link-context.js';

/** Milliseconds of `performance.now()`. */
interface Times {
  readonly passStartedAt: number;
  readonly stageStartedAt: number;
}

/**
 * Adds to a finding when what it reports began. Stages judge what paths have done by themselves, so
 * that may have begun before the stage did.
 */
export async function withStart(
  finding: Finding,
  seen: Seen,
  { passStartedAt, stageStartedAt }: Times,
): Promise<Finding> {
  if (finding.status === 'skipped') return finding;
  const startedAt = (await pathStart(finding, seen)) ?? stageStartedAt;
  return { ...finding, startMs: Math.round((startedAt - passStartedAt) * 10) / 10 };
}

/** @returns undefined where the stage itself did the work */
async function pathStart(
  { stage, address }: Finding,
  { paths, carrier }: Seen,
): Promise<number | undefined> {
  if (stage === 'token') {
    const first = await carrier?.answer;
    return first?.ok && first.value.claims !== undefined ? first.startedAt : undefined;
  }
  const path = paths.find((one) => one.address === address);
  if (stage === 'tcp') return (await path?.tcp)?.startedAt;
  if (stage === 'tls') return (await path?.tls)?.startedAt;
  return stage === 'http' ? (await path?.answer)?.startedAt : undefined;
}
