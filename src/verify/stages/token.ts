import { type Reason, reasonOf } from '../../codes/codes.js';
import { readToken } from '../../service/token/access-token.js';
import { isOutsideItsTime, SKEW_FAILURE_MS } from '../model/clock-skew.js';
import { failed, failedBy, passed, skipped, warned } from '../model/findings.js';
import { refusalReason } from '../model/refusal-words.js';
import type { Finding } from '../model/verification.js';
import { stagesLeft } from '../model/verification-names.js';
import { askForToken } from '../transport/connect-link.js';
import { type LinkContext, type Stage, timesOf, tokenKey } from '../transport/context.js';
import { type Answer, type Step, step } from '../transport/path.js';
import { cacheFacts, withSender } from '../transport/sender.js';

/**
 * Requests a token for the JWT. Over plain http the call is made only now, when the service is
 * known to be there.
 */
export const token: Stage = async (context) => {
  const { seen, withAuth } = context;
  if (!withAuth) return [skipped('token', 'not asked for')];
  if (context.earlierToken !== undefined) {
    seen.token = context.earlierToken;
    return [skipped('token', 'the token of an earlier check is used'), ...farOff(context)];
  }
  const answered = await awaitAnswer(context);
  const finding = judge(context, answered);
  keep(context, answered);
  const { startMs } = finding;
  return seen.token === undefined ? [finding] : [finding, ...farOff(context, startMs)];
};

async function awaitAnswer(context: LinkContext): Promise<Step<Answer>> {
  const { seen } = context;
  const first = await seen.primaryPath?.answer;
  if (first?.ok && first.value.claims !== undefined) return first;
  const connection = seen.primaryPath?.connection;
  return await step(async () => {
    if (connection === undefined) throw new Error('no connection carries the token call');
    const call = context.callLimits(stagesLeft('token'));
    return await askForToken(context, connection, call);
  });
}

function keep({ run, link, seen: { token: given } }: LinkContext, answered: Step<Answer>): void {
  if (given === undefined || given.lifetimeSeconds <= 0 || !answered.ok) return;
  const askedAt = answered.value.response.receivedAt - answered.elapsedMs;
  run.options.tokens?.keep(tokenKey(run, link), given, askedAt);
}

/** A finding of its own: the token was given all the same. */
function farOff({ seen }: LinkContext, startMs?: number): Finding[] {
  const { skewMs = 0 } = seen;
  if (Math.abs(skewMs) <= SKEW_FAILURE_MS) return [];
  return [failed('token', 'host.clock: 60 s', { startMs, evidence: { skewMs } })];
}

function judge(context: LinkContext, answered: Step<Answer>): Finding {
  const { run, seen } = context;
  const facts = {
    ...timesOf(context, answered),
    evidence: { kid: run.options.credentials?.keyId },
  };
  if (!answered.ok) return withSender(context, failedBy('token', answered.error, facts));
  const { response, claims } = answered.value;
  try {
    seen.token = readToken(response);
  } catch (error) {
    const evidence = { ...facts.evidence, ...cacheFacts(response) };
    const finding = failedBy('token', error, { ...facts, evidence });
    const isOutsideTime =
      refusalReason(finding.evidence.serviceMessage) === 'time' ||
      (claims !== undefined && isOutsideItsTime(claims, response));
    const reason = tokenReason(reasonOf(finding), isOutsideTime, response.status);
    if (reason === undefined) return withSender(context, finding);
    const { skewMs } = seen;
    const times = { iat: claims?.iat, exp: claims?.exp, skewMs };
    const found = { ...finding, evidence: { ...finding.evidence, ...times } };
    return withSender(context, failed('token', reason, found));
  }
  const { lifetimeSeconds, logId, problems } = seen.token;
  const evidence = { ...facts.evidence, validForSeconds: lifetimeSeconds };
  if (problems === undefined) return passed('token', { ...facts, evidence, logId });
  const odd = { ...evidence, problem: problems.join('; ') };
  return warned('token', 'http.odd-answer: token call', { ...facts, evidence: odd, logId });
}

/** Refines the reason of an answer by the rest of the check. */
function tokenReason(
  reason: Reason | undefined,
  isOutsideTime: boolean,
  httpStatus: number,
): Reason | undefined {
  const isRefusal = reason === 'token.invalid-client' || reason === 'api.unknown-error: token call';
  if (isRefusal && isOutsideTime) return 'host.clock: JWT out of time';
  const isUnknown =
    reason === 'http.unexpected-answer' || reason === 'api.unknown-error: token call';
  if (isUnknown && httpStatus === 404) return 'api.not-found: token call';
  // The stage before has seen the service, so it is only this call that it does not answer.
  if (reason === 'http.server-error') return 'http.server-error: token call';
  return reason === 'http.unexpected-answer' ? 'http.unexpected-answer: token call' : undefined;
}
