import { reasonOf } from '../../codes/codes.js';
import { HTTP2_FRAME } from '../../service/http/shown-bytes.js';
import { isGood } from '../model/findings.js';
import type { Evidence, Finding } from '../model/verification.js';
import { FULL_PACKET_BYTES } from '../model/verification-names.js';
import { isSenderShown } from '../transport/sender.js';
import {
  type Candidate,
  type Facts,
  type Failures,
  findProbes,
  partialFailure,
  pick,
  type Rule,
  type Rules,
  shownCause,
  speaksTls,
  unlessPartial,
  weigh,
} from './candidates.js';
import { bySigningAgain } from './refusal-rules.js';

/** The stages whose answers have a log id to quote for a call after them. */
const CALLS: readonly string[] = ['http', 'token'];

/** A request, or its answer, that is lost. */
const lostRequest: Rule = (facts, failures) => {
  const { error = '' } = failures[0].evidence;
  const bySize = byRequestSize(facts);
  if (bySize.length > 0) return bySize;
  const known = answeredAnew(facts, failures);
  if (known.length > 0) return known;
  const spoken = speaksTls(facts);
  if (spoken.length > 0) return spoken;
  const answers = otherAnswers(facts, failures);
  if (answers !== undefined) {
    const unsteady = weigh({ error, ...answers }, { 'server.unsteady: one call lost': 60 });
    return [...byAnswerSize(facts, failures), ...unsteady];
  }
  const partial = partialFailure(facts, failures);
  if (partial.length > 0) return partial;
  // Whoever has completed a handshake is there; over plain http nothing has shown that.
  const silent = facts.isPlain ? 'server.no-target' : 'server.no-target: behind a front';
  return weigh({ error }, { [silent]: 60, 'path.filter': 40 });
};

/** The answers of a gateway that gets none from behind it, and those of a content delivery network. */
const OF_GATEWAY: readonly number[] = [502, 503, 504, 520, 521, 522, 523, 524, 525, 526];

/** The API call was answered on a new connection. */
function answeredAnew(facts: Facts, [failure]: Failures): Candidate[] {
  const reason = reasonOf(failure) ?? '';
  const again = findProbes(facts, 'new-connection').find(({ ok }) => ok);
  // What ends every connection, such as a restart, ends the used one too.
  if (failure.stage !== 'workspaces' || again === undefined || reason === 'http.reset') return [];
  const evidence = {
    'on the connection of the call before': reason,
    'on a new one': 'answered',
    ...pick(again.evidence, 'logId'),
  };
  return [shownCause('server.unsteady: first call only', 92, evidence)];
}

/** A gateway speaks for itself; so does the service, in its own format. */
const brokenBehind = unlessPartial((facts, failures) => {
  const anew = answeredAnew(facts, failures);
  if (anew.length > 0) return anew;
  const [{ evidence }] = failures;
  const isOwn = evidence.serviceCode !== undefined;
  if (isOwn || !OF_GATEWAY.includes(Number(evidence.httpStatus))) return [];
  const seen = pick(evidence, 'httpStatus', 'problem', 'retryAfterSeconds', 'retryAfter');
  const before = failures[0].stage === 'workspaces' ? otherAnswers(facts, failures) : undefined;
  return [
    ...weigh(seen, { 'server.no-target: behind a front': 60 }),
    ...(before ? weigh({ ...seen, ...before }, { 'server.unsteady: one call lost': 70 }) : []),
    ...(evidence.retryAfterSeconds === undefined
      ? []
      : [shownCause('http.server-error', 90, seen)]),
  ];
});

/** The server refuses HTTP/1.1, or begins with HTTP/2. */
export function otherProtocol([{ evidence }]: Failures): Candidate[] {
  const isRefused = evidence.alert === 'no_application_protocol';
  if (!isRefused && !String(evidence.error).endsWith(HTTP2_FRAME)) return [];
  const seen = isRefused ? pick(evidence, 'alert') : { got: HTTP2_FRAME };
  return [shownCause('server.other-http', 92, seen)];
}

/** The answer is in another format, and so may come from something else than the service. */
const unexpectedResponder = unlessPartial((facts, failures) => {
  const spoken = [...speaksTls(facts), ...otherProtocol(failures)];
  if (spoken.length > 0) return spoken;
  if (isOfService(facts, failures)) return [];
  const [{ evidence: all }] = failures;
  const evidence = pick(all, 'httpStatus', 'error', 'problem', 'via');
  const answers = evidence.httpStatus === undefined ? otherAnswers(facts, failures) : undefined;
  if (answers !== undefined) return inPlaceOfService(facts, { ...evidence, ...answers });
  const { httpStatus: status = 0, via } = evidence;
  if (status === 0) {
    return [...weigh(evidence, { 'server.other-service': 70 }), ...intercepted(facts, evidence)];
  }
  // Another service has no certificate for the name, and refuses fewer calls than what stands in front.
  const isFront = !facts.isPlain || via !== undefined || Math.trunc(Number(status) / 100) === 4;
  const weights = {
    'path.gateway': isFront ? 60 : 40,
    'server.other-service': facts.isPlain ? 55 : 30,
  };
  return [...weigh(evidence, weights), ...intercepted(facts, evidence)];
});

/** Other calls over the same path are answered in the service's format. */
const gateway: Rule = (facts, failures) => {
  const anew = [...answeredAnew(facts, failures), ...bySigningAgain(facts, failures)];
  if (anew.length > 0 || isOfService(facts, failures)) return anew;
  const [{ evidence }] = failures;
  const reason = reasonOf(failures[0]);
  const seen = pick(evidence, 'httpStatus', 'problem', 'error');
  // An error of OAuth (RFC 6749, 5.2) is what a token endpoint says, and few gateways.
  const isOfOauth = reason === 'http.unexpected-answer: token call' && isText(evidence.serviceCode);
  return [...weigh(seen, isOfOauth ? { [reason]: 65 } : {}), ...inPlaceOfService(facts, seen)];
};

/** A gateway repeats the status as its code. */
function isText(code: unknown): boolean {
  return code !== undefined && Number.isNaN(Number(code));
}

/**
 * Tells whether the answer is the service's own: nothing on the path can have sent it where TLS shows the
 * sender, and one with the service's own fields is damaged or incomplete.
 */
function isOfService(facts: Facts, [{ evidence }]: Failures): boolean {
  return isSenderShown(facts) || evidence.holds !== undefined;
}

function inPlaceOfService(facts: Facts, evidence: Evidence): Candidate[] {
  return [...weigh(evidence, { 'path.gateway': 60 }), ...intercepted(facts, evidence)];
}

/** Finds an interception of TLS; without TLS there is none. */
function intercepted({ isPlain }: Facts, evidence: Evidence): Candidate[] {
  return isPlain ? [] : weigh(evidence, { 'path.inspection': 50 });
}

/**
 * Finds the service's answers over the very paths on which the failing calls were lost.
 *
 * @returns undefined where one of these paths carried no answer
 */
function otherAnswers(facts: Facts, failures: readonly Finding[]): Evidence | undefined {
  const answers = failures.map(({ address }) =>
    address === undefined ? seenByStage(facts) : seenByProbe(facts, address),
  );
  return answers.includes(undefined) ? undefined : answers[0];
}

/** A call of a later stage goes over the path on which this one saw the service. */
function seenByStage({ findings }: Facts): Evidence | undefined {
  const isSeen = findings.some((finding) => finding.stage === 'http' && isGood(finding));
  const logId = findings.findLast(({ stage, logId: id }) => CALLS.includes(stage) && id)?.logId;
  if (!isSeen) return undefined;
  return { answered: 'the call before', ...(logId !== undefined && { logId }) };
}

function seenByProbe(facts: Facts, address: string): Evidence | undefined {
  const small = findProbes(facts, 'no-credential').find(
    ({ ok, changed }) => ok && changed === address,
  );
  if (small === undefined) return undefined;
  return { answered: `a call without credential at ${address}`, ...pick(small.evidence, 'logId') };
}

/** Finds a call that works small and is lost large, twice: once would say nothing of sizes. */
function byRequestSize(facts: Facts): Candidate[] {
  const tries = findProbes(facts, 'large-request');
  const [small, first, second, slow] = tries;
  const isLost = [first, second].every((one) => one?.ok === false && one.code === 'http.timeout');
  if (!small?.ok || !isLost) return [];
  const outcomes = tries.map((one) => [one.changed, one.ok ? 'answered' : (reasonOf(one) ?? '')]);
  const evidence = Object.fromEntries(outcomes);
  if (slow === undefined || slow.ok) {
    return [{ code: 'path.mtu', weight: 80, isShown: slow?.ok === true, evidence }];
  }
  // It is the size of the request that matters, rather than that of its packets.
  return weigh(evidence, { 'path.filter': 60, 'path.mtu': 50 });
}

/** Finds a call that is answered only where its answer is small, and no packet from there that was full. */
function byAnswerSize(facts: Facts, failures: Failures): Candidate[] {
  const wasFull = ({ evidence }: Finding) => Number(evidence.handshakeBytes) > FULL_PACKET_BYTES;
  const small = findProbes(facts, 'small-answer').find(({ ok }) => ok);
  const isLost = reasonOf(failures[0]) === 'http.timeout';
  const again = findProbes(facts, 'new-connection')[0];
  const isLostAgain = again !== undefined && reasonOf(again) === 'http.timeout';
  if (!isLost || small === undefined || !isLostAgain || facts.findings.some(wasFull)) return [];
  const seen = { 'the same call': 'no answer, twice', [small.changed]: 'answered' };
  return weigh(seen, { 'path.mtu': 80 });
}

/** Names whatever limits calls: it says so itself, at whichever address. */
const limited: Rule = (facts, failures) => {
  const [{ evidence: all }] = failures;
  const evidence = pick(all, 'httpStatus', 'problem', 'retryAfterSeconds', 'retryAfter');
  const partial = partialFailure(facts, failures);
  return partial.length === 0 ? [] : [shownCause('http.rate-limited', 90, evidence), ...partial];
};

/** Rules for a call that is lost, or answered by something else. */
export const CALL_RULES: Rules = {
  'http.timeout': lostRequest,
  'http.reset': lostRequest,
  'http.unexpected-answer': unexpectedResponder,
  'http.unexpected-answer: redirect': partialFailure,
  'http.unexpected-answer: HTTP 511': partialFailure,
  'http.timeout: HTTP 408': unlessPartial(byRequestSize),
  'http.unexpected-answer: HTTP 407': partialFailure,
  'http.unexpected-answer: HTTP 421': partialFailure,
  'http.unexpected-answer: too long': partialFailure,
  'http.reset: cut short': partialFailure,
  'http.unexpected-answer: invalid HTTP': partialFailure,
  'http.rate-limited': limited,
  'http.unexpected-answer: token call': gateway,
  'http.unexpected-answer: API call': gateway,
  'http.server-error': brokenBehind,
  'http.server-error: token call': brokenBehind,
};
