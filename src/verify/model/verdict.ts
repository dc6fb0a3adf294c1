import { EXIT } from '../../codes/codes.js';
import { redactAll } from '../../codes/redact.js';
import { failedExits, isRefused } from '../../codes/stated.js';
import { present } from '../../files/json.js';
import { isGood } from './findings.js';
import type { ClosedResult, Finding, LinkResult, Verdict, Verification } from './verification.js';
import { VERIFICATION_SCHEMA } from './verification-names.js';

/** The worst first. */
const BY_WEIGHT: readonly Verdict[] = ['unreachable', 'not-authorized', 'incomplete', 'reachable'];

export function worst(verdicts: readonly Verdict[]): Verdict {
  return BY_WEIGHT.find((verdict) => verdicts.includes(verdict)) ?? 'incomplete';
}

/** The verdict on all links together. */
export function overall(links: readonly Pick<LinkResult, 'verdict'>[]): Verdict {
  return worst(links.map(({ verdict }) => verdict));
}

/** Decides the verdict on a link in one word. A link is reachable only if it was observed to be. */
export function decideVerdict(findings: readonly Finding[]): Verdict {
  const exits = failedExits(findings);
  if (findings.some(isOnTheWay)) return 'unreachable';
  if (findings.some(isRefused)) return 'not-authorized';
  const isServiceSeen = findings.some((finding) => finding.stage === 'http' && isGood(finding));
  return exits.length === 0 && isServiceSeen ? 'reachable' : 'incomplete';
}

/** Tells whether the way to the service failed: a later call that fails likewise has gone that way. */
function isOnTheWay(finding: Finding): boolean {
  const [exit = 0] = failedExits([finding]);
  return exit >= EXIT.dns && exit <= EXIT.http;
}

export interface Results
  extends Omit<Verification, 'schema' | 'verdict' | 'accessDigest' | 'skewMs'> {
  readonly connections: NonNullable<Verification['connections']>;
  readonly backends: NonNullable<Verification['backends']>;
  /** The skews that answers showed. */
  readonly skewsMs: readonly number[];
}

/** Builds the report: derives the verdict and omits empty sections. */
export function makeVerification(results: Results): Verification {
  const { title, startedAt, elapsedMs, settings, links, skewsMs, ...others } = results;
  const { connections, backends, ...more } = others;
  const [skewMs] = skewsMs.toSorted((a, b) => Math.abs(b) - Math.abs(a));
  return redactAll({
    schema: VERIFICATION_SCHEMA,
    ...present({ title }),
    verdict: overall(links),
    startedAt,
    elapsedMs,
    accessDigest: commonDigest(links),
    ...present({ skewMs }),
    settings,
    links,
    ...more,
    ...(connections.length > 0 && { connections }),
    ...(backends.length > 0 && { backends }),
  });
}

/**
 * The exit status for a program that ends with this report: the lowest of all failures, 130 for an
 * interrupted run, 0 when nothing failed.
 *
 * @param strict warnings count too
 */
export function exitOf(
  {
    links,
    connections = [],
    backends = [],
    expectedClosed = [],
    settings = [],
  }: Pick<Verification, 'links' | 'connections' | 'backends' | 'expectedClosed'> &
    Partial<Pick<Verification, 'settings'>>,
  { strict = false }: { readonly strict?: boolean } = {},
): number {
  const findings = links.flatMap(({ stages }) => stages);
  const exits = [
    ...failedExits(findings),
    ...connections.flatMap(({ code }) => (code === undefined ? [] : EXIT.connection)),
    ...failedExits(backends),
    ...expectedClosed.flatMap(closedExits),
  ];
  // Whoever gets in is worse than whoever does not.
  if (exits.includes(EXIT.doorOpen)) return EXIT.doorOpen;
  if (exits.includes(EXIT.interrupted)) return EXIT.interrupted;
  if (exits.length > 0) return Math.min(...exits);
  const isWarned = findings.some(({ status }) => status === 'warned');
  return strict && (isWarned || isLedAside(links, settings)) ? EXIT.strictWarning : 0;
}

/** A saved report is believed by what was seen; nothing else than closed was asked for. */
function closedExits({ result, code }: ClosedResult): number[] {
  if (result === 'closed') return [];
  if (result === 'OPEN') return [EXIT.doorOpen];
  return code === undefined ? [EXIT.deadline] : failedExits([{ status: 'failed', code }]);
}

/** Tells whether dials went where a variable says that may be left over from a sandbox. */
function isLedAside(links: readonly LinkResult[], settings: Verification['settings']): boolean {
  const isOfVariable = settings.some(({ source }) => source === CONNECT_TO_VARIABLE);
  return isOfVariable && links.some(({ connectTo }) => connectTo.length > 0);
}

/** The variable of the option --connect-to. */
const CONNECT_TO_VARIABLE = 'SECURE_CONNECTIVITY_CONNECT_TO';

/** The digest of all links: empty where they have different ones. */
function commonDigest(links: readonly LinkResult[]): string {
  const [first = '', ...others] = new Set(links.map(({ accessDigest }) => accessDigest));
  return others.length > 0 ? '' : first;
}
