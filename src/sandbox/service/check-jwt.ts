import { compactVerify, decodeProtectedHeader, errors, type ProtectedHeaderParameters } from 'jose';
import { isObject, type Json, type JsonObject } from '../json.js';
import type { Application } from './application.js';

/** Why the service refuses a JWT, in the service's words. */
export class JwtRefused extends Error {}

interface JwtRules {
  readonly application: Application;
  /** One of them must be named. */
  readonly audiences: readonly string[];
  /** Unix time in seconds. */
  readonly now: number;
}

/** What a JWT says of its session. */
export interface CheckedJwt {
  readonly jti: string;
  readonly sessionName?: string | undefined;
}

/**
 * Checks a JWT as the service does. Whether its `jti` was used before is for the caller to say.
 *
 * @throws JwtRefused
 */
export async function checkJwt(jwt: string, rules: JwtRules): Promise<CheckedJwt> {
  const { alg, typ, kid } = headerOf(jwt);
  if (alg !== 'RS256') throw refused('alg must be RS256');
  if (typ !== 'JWT') throw refused('typ must be JWT');
  const key = rules.application.keys.find((each) => each.kid === kid);
  // The spelling is the service's own.
  if (!key) throw refused('kid not been registred');
  const claims = claimsOf(await payloadOf(jwt, key.publicKey));
  return checkClaims(claims, rules);
}

function checkClaims(claims: JsonObject, { application, audiences, now }: JwtRules): CheckedJwt {
  const { iss, aud, iat, exp, jti, session_name: sessionName, session_context: context } = claims;
  if (iss !== application.appId) throw refused('iss is not the application id');
  if (typeof aud !== 'string' || !audiences.includes(aud)) throw refused('aud is not the api host');
  if (!Number.isInteger(iat)) throw refused('iat must be an integer');
  if (!Number.isInteger(exp)) throw refused('exp must be an integer');
  if (Number(exp) <= Number(iat)) throw refused('exp must be later than iat');
  if (Number(iat) > now) throw refused('token used before issued');
  if (Number(exp) <= now) throw refused('token is expired');
  if (typeof jti !== 'string' || jti === '') throw refused('jti is required');
  if (context !== undefined && !isContext(context)) throw refused('session_context is malformed');
  if (sessionName === undefined) return { jti };
  if (typeof sessionName !== 'string') throw refused('session_name must be a string');
  return { jti, sessionName };
}

/** An object that may name a device, by texts. */
function isContext(context: Json): boolean {
  if (!isObject(context)) return false;
  const { device_info: device = {} } = context;
  return isObject(device) && Object.values(device).every((value) => typeof value === 'string');
}

function headerOf(jwt: string): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(jwt);
  } catch {
    throw refused('malformed');
  }
}

async function payloadOf(jwt: string, key: Parameters<typeof compactVerify>[1]) {
  try {
    return (await compactVerify(jwt, key, { algorithms: ['RS256'] })).payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) throw refused('signature is invalid');
    throw error;
  }
}

function claimsOf(payload: Uint8Array): JsonObject {
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
