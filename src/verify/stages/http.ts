import type { Reason } from '../../codes/codes.js';
import { safeText } from '../../codes/redact.js';
import { asObject } from '../../files/json.js';
import {
  missingInEnvelope,
  readLocation,
  type ServiceAnswer,
  ServiceError,
  serviceAnswer,
} from '../../service/api-response.js';
import {
  codeOfStatus,
  isInFormat,
  logIdOf,
  oddRetryAfter,
  readRetryAfter,
  type ServiceResponse,
} from '../../service/http/message.js';
import { bodyProblem, contradictions } from '../../service/response-body.js';
import { readToken } from '../../service/token/access-token.js';
import { clockSkew, SKEW_FAILURE_MS, SKEW_WARNING_MS } from '../model/clock-skew.js';
import {
  blocked,
  failed,
  failedBy,
  isGood,
  type LooseEvidence,
  passed,
  warned,
} from '../model/findings.js';
import type { Finding } from '../model/verification.js';
import { stagesLeft } from '../model/verification-names.js';
import { callWithoutCredential } from '../transport/connect-link.js';
import { type LinkContext, type Stage, timesOf } from '../transport/context.js';
import { type Path, step } from '../transport/path.js';
import { cacheFacts, withSender } from '../transport/sender.js';
import { readTlsCode } from './tls.js';

/**
 * Judges whether the answer is in the service's format. On the good path that is read off the token call; only
 * when this failed, a call without credential is made to distinguish network from credentials.
 */
export const http: Stage = async (context) => {
  const { seen } = context;
  const findings = await Promise.all(seen.paths.map((path) => judge(context, path)));
  const good = seen.paths.filter((_, i) => findings[i] && isGood(findings[i]));
  // Where the primary path fails, another address still shows whether the credentials are right.
  if (seen.primaryPath && !good.includes(seen.primaryPath))
    seen.primaryPath = good[0] ?? seen.primaryPath;
  return findings;
};

async function judge(context: LinkContext, path: Path): Promise<Finding> {
  const { address } = path;
  const answered = await path.answer;
  if (answered === undefined) return blocked('http', 'an earlier stage', { address });
  const facts = { ...timesOf(context, answered), address };
  if (!answered.ok) {
    return readTlsCode(answered.error) === undefined
      ? withSender(context, failedBy('http', answered.error, facts))
      : blocked('http', 'tls', facts);
  }
  const { response, claims } = answered.value;
  // The stages of token and workspaces tell of what they read; nobody reads this one.
  const problems = claims === undefined ? contradictions(response) : [];
  if (claims === undefined && asObject(response.json)?.code === 0) {
    context.seen.notes.add(`at ${address}: ${OPEN}`);
  }
  const refusal = claims && tokenError(response);
  const second = refusal && (await callAgain(context, path));
  const code = claims ? findProblem(response, refusal, second) : problemOfProbe(response);
  const skewMs = noteSkew(context, response);
  const evidence: LooseEvidence = {
    httpStatus: response.status,
    ...(code !== undefined && cacheFacts(response)),
    ...(code !== undefined && showBody(response, refusal ?? ofProbe(response))),
    retryAfterSeconds: code && readRetryAfter(response),
    retryAfter: code && oddRetryAfter(response),
    location: readLocation(response),
    leadsTo: isLoop(context, response) ? 'the call itself' : undefined,
    withoutCredential: second && describe(second),
    skewMs,
  };
  const found = { ...facts, evidence, logId: logIdOf(response) };
  if (code !== undefined) return withSender(context, failed('http', code, found));
  const isGiven = claims !== undefined && refusal === undefined;
  const odd = { ...found, evidence: { ...evidence, problem: problems.join('; ') || undefined } };
  if (isSkewWarned(isGiven, skewMs)) return warned('http', 'host.clock: 5 s', odd);
  return problems.length > 0 ? warned('http', 'http.odd-answer', odd) : passed('http', found);
}

const OPEN = 'a call without credential succeeds, where the service asks for one';

/** The paths of the calls of this stage. */
const CALLED = /^\/(v1\/workspaces|api\/permission\/oauth2\/enterprise_id\/[^/]+\/token)$/;

function isLoop({ link }: LinkContext, response: ServiceResponse): boolean {
  const { location = '' } = response.headers;
  if (readLocation(response) === undefined || !URL.canParse(location, link.baseUrl)) return false;
  const { origin, pathname } = new URL(location, link.baseUrl);
  return origin === new URL(link.baseUrl).origin && CALLED.test(pathname);
}

/** After a token call that failed. @returns undefined where no second answer came */
async function callAgain(
  context: LinkContext,
  { connection }: Path,
): Promise<ServiceResponse | undefined> {
  const call = context.callLimits(stagesLeft('token'));
  const second = await step(() => callWithoutCredential(connection, call));
  return second.ok ? second.value.response : undefined;
}

/** Tells whether the clocks are far apart; if a token is given nevertheless, its stage says so. */
function isSkewWarned(isGiven: boolean, skewMs: number | undefined): boolean {
  const apartMs = Math.abs(skewMs ?? 0);
  const isFailure = apartMs > SKEW_FAILURE_MS && isGiven;
  return apartMs > SKEW_WARNING_MS && !isFailure;
}

/**
 * @param refusal why the token call gave no token; undefined where it gave one
 * @param second the answer to a call without credential after that, where one came
 */
function findProblem(
  response: ServiceResponse,
  refusal: ServiceError | undefined,
  second: ServiceResponse | undefined,
): Reason | undefined {
  if (refusal === undefined) return undefined;
  const { reason } = refusal;
  const isThere = second !== undefined && isInFormat(second);
  if (reason === 'http.rate-limited: token call' && !isInFormat(response)) {
    return isThere ? undefined : 'http.rate-limited';
  }
  // What is said of the token call is for the stage of that.
  if (!reason.startsWith('http.') || /: token call$/.test(reason)) return undefined;
  const isOfCall = OF_CALL.includes(reason);
  return isOfCall && isThere ? undefined : reason;
}

/** Codes of an answer that may be about this call alone. */
const OF_CALL: readonly Reason[] = [
  'http.unexpected-answer',
  'http.server-error',
  'http.timeout: HTTP 408',
];

function problemOfProbe(response: ServiceResponse): Reason | undefined {
  const byStatus = codeOfStatus(response.status, response.headers.location);
  // The service says itself that it cannot serve, and no later call goes to this address to show it.
  if (byStatus === 'http.unexpected-answer: redirect' || byStatus === 'http.server-error')
    return byStatus;
  return isInFormat(response) ? undefined : (byStatus ?? 'http.unexpected-answer');
}

function tokenError(response: ServiceResponse): ServiceError | undefined {
  try {
    readToken(response);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

function noteSkew({ seen }: LinkContext, response: ServiceResponse): number | undefined {
  const skewMs = clockSkew(response);
  if (skewMs !== undefined && Math.abs(skewMs) >= Math.abs(seen.skewMs ?? 0)) seen.skewMs = skewMs;
  return skewMs;
}

/** Reads an answer to a call without credential: the service's own words, or the problem with it. */
function ofProbe(response: ServiceResponse): ShownAnswer {
  if (!isInFormat(response)) return bodyProblem(response, missingInEnvelope(response));
  const { code, error_code: errorCode, msg } = asObject(response.json) ?? {};
  return serviceAnswer(response, code ?? errorCode, msg);
}

type ShownAnswer = Pick<ServiceAnswer, 'serviceCode' | 'serviceMessage' | 'problem' | 'holds'>;

function showBody(response: ServiceResponse, answer: ShownAnswer): LooseEvidence {
  const { serviceCode, serviceMessage, problem, holds } = answer;
  const { via } = response.headers;
  const isBare = readLocation(response) !== undefined && response.text.trim() === '';
  return {
    serviceCode,
    serviceMessage,
    problem: isBare ? undefined : problem,
    holds,
    via: via && safeText(via),
  };
}

function describe(response: ServiceResponse): string {
  const logId = logIdOf(response);
  const who = isInFormat(response) ? ' in the service’s format' : ' in another format';
  return `HTTP ${response.status}${who}${logId === undefined ? '' : `, log id ${logId}`}`;
}
