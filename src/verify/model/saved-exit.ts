import { EXIT } from '../../codes/codes.js';
import { decideVerdict, exitOf, overall, worst } from './verdict.js';
import type { LinkResult, Verdict, Verification } from './verification.js';
import { STAGE_NAMES, type StageName } from './verification-names.js';

/**
 * The exit status for those who believe a saved report: that of its run, and 0 only where everything
 * was seen to work. What a report says of itself is held against its stages.
 *
 * @param strict warnings count too, and so do servers that nothing was seen of
 */
export function savedExit(report: Verification, { strict }: { readonly strict: boolean }): number {
  const exit = exitOf(report, { strict });
  // What a later version calls a failure is no bug of this one.
  if (exit === EXIT.bug && !hasBug(report)) return EXIT.deadline;
  if (exit !== 0 && exit !== EXIT.strictWarning) return exit;
  if (notShown(report) !== undefined) return EXIT.deadline;
  const isUnseen = report.backends?.some(({ status }) => status === 'skipped') ?? false;
  return strict && isUnseen ? EXIT.strictWarning : exit;
}

function hasBug({ links, backends = [] }: Verification): boolean {
  const codes = [...links.flatMap(({ stages }) => stages), ...backends].map(({ code }) => code);
  return codes.includes('internal.bug');
}

/** Names the first part that was not seen to work; a part that did not fail may be missing altogether. */
export function notShown(report: Verification): string | undefined {
  const { links, connections = [], backends = [] } = report;
  const link = links.find((one) => seenVerdict(one) !== 'reachable');
  const connection = connections.find(({ status }) => status !== 'Connected');
  const backend = backends.find(({ status }) => status === 'failed');
  if (link !== undefined) return `${link.name} ${unseen(link)}`;
  if (connection !== undefined) return `${connection.name} in the state ${connection.status}`;
  if (backend !== undefined) return `${backend.name} as failed`;
  if (links.length + connections.length + backends.length === 0) return 'no result';
  const { verdict } = report;
  return links.length === 0 || verdict === 'reachable' ? undefined : `the whole as ${verdict}`;
}

function unseen(link: LinkResult): string {
  const missing = missingStage(link);
  return missing === undefined ? `as ${seenVerdict(link)}` : `without the stage ${missing}`;
}

function missingStage({ stages }: Pick<LinkResult, 'stages'>): StageName | undefined {
  const has = (name: StageName) => stages.some(({ stage }) => stage === name);
  return STAGE_NAMES.find((name) => !has(name));
}

/** The verdict on a saved link: its own, unless its stages show less. */
function seenVerdict(link: LinkResult): Verdict {
  const shown = decideVerdict(link.stages);
  const whole = missingStage(link) === undefined ? 'reachable' : 'incomplete';
  return worst([link.verdict, shown, whole]);
}

/** Holds the verdicts of a saved report against its stages, so that no format tells more than they show. */
export function heldAgainstStages(report: Verification): Verification {
  const links = report.links.map((link) => ({ ...link, verdict: seenVerdict(link) }));
  return { ...report, verdict: worst([report.verdict, overall(links)]), links };
}

/** Tells whether a run began with warnings counting as failures. */
export function wasStrict({ settings }: Pick<Verification, 'settings'>): boolean {
  return settings.some(({ name }) => name === '--strict');
}
