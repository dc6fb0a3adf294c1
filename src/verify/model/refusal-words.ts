import { reasonOf } from '../../codes/codes.js';
import type { Finding } from './verification.js';

/**
 * The things that a refusal of a JWT can be about, by its words, which differ from server to server. The
 * first that fits counts: it says more than those after it.
 */
const REASONS = {
  region: /\bregions?\b|\b(another|other|wrong) (site|cluster|data ?cent(er|re))\b/i,
  key: /\bkids?\b|fingerprint|\bjwks?\b|\bpublic[ _-]?key|\bkey[ _-]?id\b|\b(signing|verification) key|\b(unknown|no) (matching )?key\b|\bkey\b.*\b(expired|revoked|deleted|disabled|not)\b/i,
  audience: /\baud(ience)?\b/i,
  application:
    /\biss(uer)?\b|\b(app|application|client)[ _-]?id\b|\b(unknown|no such|unregistered) (app|client)|\b(app|application|client)( is| was)? (unknown|not (found|exist\w*|regist\w*))/i,
  // What ends beside a JWT has nothing to do with a clock.
  open: /\b(in|mal)?valid or expired|expired or |\b(too long|exceed(s|ed)?|maximum|lifetime)\b|\b(subscription|licen[cs]e|plan|account|trial|quota|contract|package|app|application|session)\b[^.:;]*\bexpir/i,
  time: /\b(before|prior to)( it was)? issu|\bissued (at|in|after)\b|\bnot[ _-]?(yet|before|active|valid (before|until))\b|\bfuture\b|expir|\b(iat|nbf|exp)\b|\bclock|time ?stamp|\btoo (old|early|late)\b/i,
  replay: /\b(jti|nonce)\b|\breplay|\b(already|been) used\b/i,
  header:
    /\b(jwt|token|bearer|authorization|assertion|credentials?)( header)?( is| was| are| must be)? (empty|missing|absent|required|(not )?(provided|present|given|found|set))|\b(empty|missing|no|without)( or invalid)?( an?| the)? (jwt|token|bearer|authorization|assertion|credential)|\b(malformed|segments|base64|padding)\b|\bdecod(e|ing)\b|\binvalid authorization header/i,
  signature: /signature|\bcrypto\/rsa\b|\bsigned (by|with)\b/i,
} as const;

export type RefusalReason = Exclude<keyof typeof REASONS, 'open'>;

/** Reads what a refusal is about; undefined where its words leave that open. */
export function refusalReason(message: unknown): RefusalReason | undefined {
  const reasons = Object.keys(REASONS) as (keyof typeof REASONS)[];
  const reason = reasons.find((one) => REASONS[one].test(String(message ?? '')));
  return reason === 'open' ? undefined : reason;
}

/** Reasons of a JWT that is refused, perhaps for its time. */
const REFUSED =
  /^(host\.clock: JWT out of time|token\.invalid-client|api\.unknown-error: token call)$/;

/** Tells whether a refusal leaves open that the time of the JWT is the reason. */
export function isOpenRefusal(finding: Pick<Finding, 'code' | 'evidence'>): boolean {
  const reason = reasonOf(finding) ?? '';
  const { httpStatus, serviceCode, serviceMessage } = finding.evidence;
  const isOfOauth = reason === 'http.unexpected-answer: token call' && serviceCode !== undefined;
  const isRefusal = REFUSED.test(reason) || (isOfOauth && Number(httpStatus) < 404);
  return isRefusal && [undefined, 'time'].includes(refusalReason(serviceMessage));
}

/** Refusals that may be about a call that did not arrive as it was sent. */
const UNEXPLAINED =
  /^(host\.clock: JWT out of time|token\.(invalid-client|application(: grant type)?)|api\.(token-rejected|unknown-error(: token call)?))$/;

/** Tells whether a refusal leaves open whether the service has read what was sent. */
export function isUnexplained(finding: Pick<Finding, 'code' | 'evidence'>): boolean {
  const about = refusalReason(finding.evidence.serviceMessage);
  const isOpen = about === undefined || about === 'header';
  return UNEXPLAINED.test(reasonOf(finding) ?? '') && isOpen;
}
