import type { JsonObject } from '../json.js';
import type { Application } from './application.js';
import { type CheckedJwt, checkJwt, JwtRefused } from './check-jwt.js';
import {
  bearerOf,
  RETRY_AFTER_SECONDS,
  type Reply,
  type ServiceContext,
  tokenError,
} from './endpoint.js';

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const PATH = /^\/api\/permission\/oauth2\/enterprise_id\/([^/]+)\/token$/;
const DEFAULT_SECONDS = 900;
const MAX_SECONDS = 86_399;

interface TokenRequest {
  readonly enterpriseId: string;
  readonly contentType: string;
  readonly authorization: string;
  /** Undefined where the body is not a JSON object. */
  readonly body: JsonObject | undefined;
}

/** The enterprise id in the path of the token endpoint; undefined for another path. */
export function tokenPath(path: string): string | undefined {
  const id = PATH.exec(path)?.[1];
  try {
    return id === undefined ? undefined : decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** Exchanges a signed JWT for an access token. */
export async function exchange(context: ServiceContext, request: TokenRequest): Promise<Reply> {
  const application = context.application();
  const now = Math.floor(context.now() / 1000);
  const refusal =
    refuseByFault(context) ?? checkRequest(context, request) ?? checkBody(request.body);
  if (refusal) return refusal;
  let jwt: CheckedJwt;
  try {
    const rules = { application, audiences: context.apiHosts, now };
    jwt = await checkJwt(bearerOf(request.authorization), rules);
    if (!context.tokens.use(jwt.jti)) throw new JwtRefused('invalid jwt: jti has been used');
  } catch (error) {
    if (error instanceof JwtRefused) return tokenError(401, 'invalid_client', error.message);
    throw error;
  }
  const denial = checkApplication(context, application);
  if (denial) return denial;
  const expires = now + Number(request.body?.duration_seconds ?? DEFAULT_SECONDS);
  const { sessionName } = jwt;
  const accessToken = context.tokens.issue({ appId: application.appId, expires, sessionName });
  return { status: 200, body: { access_token: accessToken, expires_in: expires } };
}

function refuseByFault(context: ServiceContext): Reply | undefined {
  const faults = context.faults();
  if (faults.has('token-internal-error')) {
    return tokenError(500, 'internal_error', 'Service internal error.');
  }
  if (faults.has('token-rate-limited')) {
    return {
      ...tokenError(429, 'too_many_requests', 'rate limit exceeded'),
      headers: { 'retry-after': RETRY_AFTER_SECONDS },
    };
  }
  if (faults.has('invalid-request')) return invalidRequest('enterprise_id');
  if (faults.has('unsupported-grant')) return unsupportedGrant(GRANT_TYPE);
  return undefined;
}

function checkRequest(context: ServiceContext, request: TokenRequest): Reply | undefined {
  if (request.enterpriseId !== context.enterpriseId) return invalidRequest('enterprise_id');
  if (!/^application\/json\b/i.test(request.contentType)) return invalidRequest('Content-Type');
  if (!request.body) return invalidRequest('body');
  return undefined;
}

function checkBody(body: JsonObject | undefined): Reply | undefined {
  const { grant_type: grant, duration_seconds: duration } = body ?? {};
  if (typeof grant !== 'string') return invalidRequest('grant_type');
  if (grant !== GRANT_TYPE) return unsupportedGrant(grant);
  if (duration === undefined) return undefined;
  const seconds = Number.isInteger(duration) ? Number(duration) : 0;
  return seconds >= 1 && seconds <= MAX_SECONDS ? undefined : invalidRequest('duration_seconds');
}

function checkApplication(context: ServiceContext, application: Application): Reply | undefined {
  const { name, enabled, type } = application;
  if (!enabled) {
    return tokenError(403, 'access_deny', `app: ${name} is currently deactivated by the owner`);
  }
  if (type !== 'enterprise-privileged') return tokenError(403, 'access_deny', 'invalid app type');
  if (context.faults().has('login-session')) {
    return tokenError(403, 'access_deny', 'login session invalid');
  }
  return undefined;
}

function invalidRequest(parameter: string): Reply {
  return tokenError(400, 'invalid_request', `invalid request: ${parameter}`);
}

function unsupportedGrant(grant: string): Reply {
  return tokenError(400, 'unsupported_grant_type', `not supported grant type: ${grant}`);
}
