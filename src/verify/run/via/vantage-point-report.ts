import { factsOf, type Reason, reasonOf, splitReason } from '../../../codes/codes.js';
import { redactAll } from '../../../codes/redact.js';
import { readSeen, withReason } from '../../../codes/stated.js';
import { toolName } from '../../../package/package-folder.js';
import { blocked, failed, inTermsOf, toCause } from '../../model/findings.js';
import type { VerifiableLink } from '../../model/options.js';
import { decideVerdict } from '../../model/verdict.js';
import type { LinkResult, Verification } from '../../model/verification.js';
import { STAGE_NAMES } from '../../model/verification-names.js';
import type { Order } from './messages.js';
import { VantagePointFailure } from './vantage-point-process.js';

/** The part of a vantage point's report that is used. */
export type VantagePointReport = Pick<Verification, 'links' | 'environment' | 'skewMs'> &
  Required<Pick<Verification, 'backends'>>;

/** Longer than any text of a report. */
const MAX_TEXT = 2_000;

/**
 * Takes from a report only what the vantage point saw. What was asked, what a code means and what to do
 * is filled in here: whoever controls the vantage point must not be able to change that, or to send a
 * secret or a terminal's escape sequences.
 *
 * @throws VantagePointFailure `run.vantage-point`
 */
export function trustedReport(report: Verification, order: Order): VantagePointReport {
  const { links, backends = [], environment, skewMs } = redactAll(report, MAX_TEXT);
  if (links.length !== order.links.length) throwWrong('links', `${links.length}`);
  return {
    links: links.map((result, i) => trustedLink(result, order.links[i] ?? throwWrong('links'))),
    backends: backends.map(({ code, ...seen }) =>
      code === undefined ? seen : { ...seen, code: splitReason(known({ code })).code },
    ),
    // It runs the program that it was sent, which has no version with it there.
    ...(environment && { environment: { ...environment, tool: toolName() } }),
    skewMs,
  };
}

function trustedLink(result: LinkResult, link: VerifiableLink): LinkResult {
  const stages = result.stages.map(({ code, cause: _, remedy: __, ...seen }) =>
    code === undefined ? seen : inTermsOf(link, withReason(seen, known({ ...seen, code }))),
  );
  const causes = result.causes.map((cause) => {
    const { reason = throwWrong('code'), evidence } = readSeen(cause);
    return toCause(link, reason, evidence, cause.certainty);
  });
  return { ...result, ...asked(link), verdict: decideVerdict(stages), stages, causes };
}

function known(stated: Parameters<typeof reasonOf>[0]): Reason {
  return reasonOf(stated) ?? throwWrong('code');
}

/** Returns the fields of a link that its result repeats. */
function asked({ name, via, baseUrl, accessDigest = '' }: VerifiableLink) {
  return { name, via, baseUrl, accessDigest };
}

function throwWrong(what: string, got = 'unknown'): never {
  throw new VantagePointFailure('run.vantage-point: no result', { [what]: got });
}

/** Reports links of a vantage point that could not run a check: nothing is known of them. */
export function reportUnreached(
  { links, plugins }: Order,
  { reason, evidence }: VantagePointFailure,
  { attempts, elapsedMs }: { readonly attempts: number; readonly elapsedMs: number },
): VantagePointReport {
  const [first, ...others] = STAGE_NAMES;
  const finding = failed(first ?? 'preflight', reason, { evidence, elapsedMs });
  const stages = [finding, ...others.map((name) => blocked(name, finding.stage))];
  const { seen: _, ...own } = finding.evidence;
  const ended = Object.entries(own).map(([name, value]) => `${name}=${value}`);
  const seen = { verdict: decideVerdict(stages), elapsedMs: Math.round(elapsedMs), attempts };
  const { code } = splitReason(reason);
  const failure = { status: 'failed', code, seen: factsOf(reason).cause } as const;
  return {
    links: links.map((link) => {
      const causes = [toCause(link, reason, ended.join(', '))];
      const nothing = { notes: [], connectTo: [], causes, ruledOut: [] };
      return { ...asked(link), ...seen, ...nothing, stages };
    }),
    backends: plugins.map(({ name, serviceId }) => {
      return { name, serviceId, ...failure, elapsedMs: seen.elapsedMs };
    }),
  };
}
