import { EXIT } from '../../codes/codes.js';
import { decideVerdict, exitOf } from './verdict.js';
import type { LinkResult, Verification } from './verification.js';
import { STAGE_NAMES, type StageName } from './verification-names.js';

/**
 * The exit status for those who believe a saved report: that of its run, and 0 only where everything
 * was seen to work. What a report says of itself is held against its stages.
 *
 * @param strict warnings count too, and so do servers that nothing was seen of
 */
export function savedExit(report: Verification, { strict }: { readonly strict: boolean }): number {
  const exit = exitOf(report, { strict });
  if (exit !== 0 && exit !== EXIT.strictWarning) return exit;
  if (!isAllSeen(report)) return EXIT.deadline;
  const isUnseen = report.backends?.some(({ status }) => status === 'skipped') ?? false;
  return strict && isUnseen ? EXIT.strictWarning : exit;
}

/** Tells whether everything was seen; a part that did not fail may be missing altogether. */
function isAllSeen({ verdict, links, connections = [], backends = [] }: Verification): boolean {
  return (
    links.length + connections.length + backends.length > 0 &&
    (links.length === 0 || verdict === 'reachable') &&
    links.every(isSeen) &&
    connections.every(({ status }) => status === 'Connected') &&
    backends.every(({ status }) => status !== 'failed')
  );
}

function isSeen({ verdict, stages }: LinkResult): boolean {
  const has = (name: StageName) => name === 'chat' || stages.some(({ stage }) => stage === name);
  return verdict === 'reachable' && decideVerdict(stages) === 'reachable' && STAGE_NAMES.every(has);
}

/** Tells whether a run began with warnings counting as failures. */
export function wasStrict({ settings }: Pick<Verification, 'settings'>): boolean {
  return settings.some(({ name }) => name === '--strict');
}

/** Clocks of two machines may differ by as much. */
const MAX_AHEAD_MS = 60_000;

/**
 * Tells whether a report is no older than it may be; one that began later than now shows no age.
 */
export function isFresh(
  { startedAt }: Pick<Verification, 'startedAt'>,
  maxAgeMs: number,
  now: number,
): boolean {
  const ageMs = now - Date.parse(startedAt);
  return ageMs <= maxAgeMs && ageMs >= -MAX_AHEAD_MS;
}
