import { reasonOf } from '../../codes/codes.js';
import { safeText } from '../../codes/redact.js';
import type { ServiceResponse } from '../../service/http/message.js';
import type { LooseEvidence } from '../model/findings.js';
import type { Finding } from '../model/verification.js';
import type { LinkContext } from './context.js';

type Sender = Pick<LinkContext, 'isPlain' | 'tlsServerName'> & {
  readonly run: Pick<LinkContext['run'], 'ownAuthority'>;
};

/**
 * Tells whether TLS shows who answers: by a certificate for the expected name, under no authority but the
 * default ones.
 */
export function isSenderShown({ isPlain, run }: Sender): boolean {
  return !isPlain && run.ownAuthority === undefined;
}

/** Says who sent an answer, as far as that is shown. */
function describeSender(sender: Sender): string {
  const { isPlain, tlsServerName, run } = sender;
  if (isSenderShown(sender)) return `the holder of the certificate for ${tlsServerName}`;
  const reason = isPlain ? 'plain http' : `${run.ownAuthority} adds an authority`;
  return `not shown: ${reason}`;
}

/** The headers in which caches say whether they answered: of most, of nginx, of Cloudflare. */
const CACHE_HEADERS = ['x-cache', 'x-cache-status', 'x-proxy-cache', 'cf-cache-status'];

/** Reads the headers of an answer that tell of a cache. */
export function cacheFacts({ headers }: Pick<ServiceResponse, 'headers'>): LooseEvidence {
  const { age } = headers;
  const xCache = CACHE_HEADERS.map((name) => headers[name]).find((value) => value !== undefined);
  return { age: age && safeText(age), xCache: xCache && safeText(xCache) };
}

/** Reasons that are answers which anybody on the path may have sent. */
export const OF_ANYBODY = /^http\.(unexpected-answer(?!: too long)|timeout: HTTP 408)/;

/** Adds to a finding about an answer that may not be the service's who sent that, as far as it is shown. */
export function withSender(sender: Sender, finding: Finding): Finding {
  if (!OF_ANYBODY.test(reasonOf(finding) ?? '')) return finding;
  return { ...finding, evidence: { ...finding.evidence, sender: describeSender(sender) } };
}

/**
 * Tells whether the evidence of an answer says that it comes out of a cache. Caches also write an `Age` of 0
 * into what they have just fetched.
 */
export function isFromCache({ evidence: { age, xCache } }: Pick<Finding, 'evidence'>): boolean {
  if (xCache !== undefined) return /hit\b|\bstale\b/i.test(String(xCache));
  return Number.parseInt(String(age), 10) > 0;
}
