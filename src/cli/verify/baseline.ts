import { usageError } from '../../codes/connectivity-error.js';
import { pipeWaitMs, type VerifiableLink } from '../../verify/model/options.js';
import type { LinkRecord } from '../../verify/model/results.js';
import type { Verification } from '../../verify/model/verification.js';
import { readNamedFile } from '../program/named-files.js';
import type { Flags } from './flags/table.js';

/**
 * Reads the earlier report that `--baseline` names, JSON or JSON lines. What reads and compares is loaded
 * only where there is one.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export async function readBaseline(flags: Flags): Promise<Verification | undefined> {
  const { baseline: file, timeout } = flags;
  if (file === undefined) return undefined;
  const { readVerification } = await import('../../verify/reports/read-verification.js');
  const text = await readNamedFile('--baseline', file, pipeWaitMs(timeout));
  try {
    if (text.trim() === '') throw new Error('empty');
    return readVerification([{ source: file, text }]);
  } catch (cause) {
    throw usageError(
      `\`--baseline\` must be a report that --format json or jsonl wrote, got: ${file} (${(cause as Error).message})`,
      cause,
    );
  }
}

/** The earlier report without the links that other parts check: these are not gone. */
export async function readOwnBaseline(
  flags: Flags,
  all: readonly VerifiableLink[],
  own: readonly VerifiableLink[],
): Promise<Verification | undefined> {
  const earlier = await readBaseline(flags);
  if (earlier === undefined) return undefined;
  const { linkKey } = await import('../../verify/run/baseline.js');
  const others = new Set(all.filter((link) => !own.includes(link)).map(linkKey));
  return { ...earlier, links: earlier.links.filter((link) => !others.has(linkKey(link))) };
}

/** Returns what the earlier report has and was not checked now, in lines. */
export async function describeGone(
  baseline: Verification,
  checked: readonly Pick<LinkRecord, 'name' | 'baseUrl'>[],
): Promise<string> {
  const [{ goneSince }, { describeChange }] = await Promise.all([
    import('../../verify/run/baseline.js'),
    import('../../verify/reports/stage-facts.js'),
  ]);
  return goneSince(baseline, checked)
    .map((change) => `verify: ${describeChange(change)}\n`)
    .join('');
}
