import { randomBytes } from 'node:crypto';
import { compactVerify, decodeProtectedHeader, errors, type ProtectedHeaderParameters } from 'jose';
import { isObject, type Json, type JsonObject } from '../json.js';
import type { Application } from './application.js';
import {
  RETRY_AFTER_SECONDS,
  type Reply,
  readBearer,
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

/** Explains why the service refuses a JWT, in the service's words. */
class JwtRefused extends Error {}

/** The enterprise id in the path of the token endpoint; undefined for another path. */
export function tokenPath(path: string): string | undefined {
  const id = PATH.exec(path)?.[1];
  try {
    return id === undefined ? undefined : decodeURIComponent(id);
  } catch {
    return id;
  }
}

export async function exchange(context: ServiceContext, request: TokenRequest): Promise<Reply> {
  const application = context.application();
  const now = Math.floor(context.now() / 1000);
  // Whatever becomes of the request, it uses up its JWT.
  const jwt = await useJwt(context, request, now);
  const refusal = refuseByFault(context) ?? checkRequest(context, request);
  if (refusal) return refusal;
  if (jwt instanceof JwtRefused) return tokenError(401, jwt.message, 'invalid_client');
  const denial = denyByFault(context, application);
  if (denial) return denial;
  const expires = now + Number(request.body?.duration_seconds ?? DEFAULT_SECONDS);
  const accessToken = `czs_${randomBytes(32).toString('base64url')}`;
  const { sessionName } = jwt;
  context.tokens.set(accessToken, { appId: application.appId, expires, sessionName });
  return { status: 200, body: { access_token: accessToken, expires_in: expires } };
}

async function useJwt(context: ServiceContext, { authorization }: TokenRequest, now: number) {
  try {
    const jwt = await checkJwt(readBearer(authorization), context, now);
    if (context.usedJwts.has(jwt.jti)) throw refused('jti has been used');
    context.usedJwts.add(jwt.jti);
    return jwt;
  } catch (error) {
    if (error instanceof JwtRefused) return error;
    throw error;
  }
}

function refuseByFault(context: ServiceContext): Reply | undefined {
  const faults = context.faults();
  if (faults.has('token-internal-error')) {
    return tokenError(500, 'Service internal error.', 'internal_error');
  }
  if (faults.has('token-rate-limited')) {
    return {
      ...tokenError(429, 'rate limit exceeded', 'too_many_requests'),
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
  const { grant_type: grant, duration_seconds: duration } = request.body;
  if (typeof grant !== 'string') return invalidRequest('grant_type');
  if (grant !== GRANT_TYPE) return unsupportedGrant(grant);
  if (duration === undefined) return undefined;
  const seconds = Number.isInteger(duration) ? Number(duration) : 0;
  return seconds >= 1 && seconds <= MAX_SECONDS ? undefined : invalidRequest('duration_seconds');
}

/** Returns what the service finds wrong once the JWT is in order. */
function denyByFault(context: ServiceContext, { name }: Application): Reply | undefined {
  const faults = context.faults();
  if (faults.has('app-deactivated')) {
    return tokenError(403, `app: ${name} is currently deactivated by the owner`, 'access_deny');
  }
  if (faults.has('app-type')) return tokenError(403, 'invalid app type');
  if (faults.has('login-session')) return tokenError(403, 'login session invalid');
  return undefined;
}

function invalidRequest(parameter: string): Reply {
  return tokenError(400, `invalid request: ${parameter}`, 'invalid_request');
}

function unsupportedGrant(grant: string): Reply {
  return tokenError(400, `not supported grant type: ${grant}`, 'unsupported_grant_type');
}

/**
 * Checks a JWT as the service does. Whether its `jti` was used before is for the caller to say.
 *
 * @throws JwtRefused
 */
async function checkJwt(jwt: string, context: ServiceContext, now: number) {
  const { alg, typ, kid } = decodeHeader(jwt);
  if (alg !== 'RS256') throw refused('alg must be RS256');
  if (typ !== 'JWT') throw refused('typ must be JWT');
  const key = context.application().keys.find((each) => each.kid === kid);
  // The spelling is the service's own.
  if (!key) throw refused('kid not been registred');
  const claims = parseClaims(await verifyPayload(jwt, key.publicKey));
  return checkClaims(claims, context, now);
}

function checkClaims(claims: JsonObject, { application, apiHosts }: ServiceContext, now: number) {
  const { iss, aud, iat, exp, jti, session_name: sessionName, session_context: context } = claims;
  if (iss !== application().appId) throw refused('iss is not the application id');
  if (typeof aud !== 'string' || !apiHosts.includes(aud)) throw refused('aud is not the api host');
  if (!Number.isInteger(iat)) throw refused('iat must be an integer');
  if (!Number.isInteger(exp)) throw refused('exp must be an integer');
  if (Number(exp) <= Number(iat)) throw refused('exp must be later than iat');
  if (Number(iat) > now) throw refused('token used before issued');
  if (Number(exp) <= now) throw refused('token is expired');
  if (typeof jti !== 'string' || jti === '') throw refused('jti is required');
  if (context !== undefined && !isContext(context)) throw refused('session_context is malformed');
  if (sessionName !== undefined && typeof sessionName !== 'string') {
    throw refused('session_name must be a string');
  }
  return { jti, sessionName };
}

/** An object that may name a device, by texts. */
function isContext(context: Json): boolean {
  if (!isObject(context)) return false;
  const { device_info: device = {} } = context;
  return isObject(device) && Object.values(device).every((value) => typeof value === 'string');
}

function decodeHeader(jwt: string): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(jwt);
  } catch {
    throw refused('malformed');
  }
}

async function verifyPayload(jwt: string, key: Parameters<typeof compactVerify>[1]) {
  try {
    return (await compactVerify(jwt, key, { algorithms: ['RS256'] })).payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) throw refused('signature is invalid');
    throw error;
  }
}

function parseClaims(payload: Uint8Array): JsonObject {
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload).toString('utf8'));
    if (isObject(claims)) return claims;
  } catch {
    // What is no JSON has no claims either.
  }
  throw refused('malformed');
}

function refused(reason: string): JwtRefused {
  return new JwtRefused(`invalid jwt: ${reason}`);
}
