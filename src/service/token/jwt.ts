import { randomBytes } from 'node:crypto';
import { SignJWT } from 'jose/jwt/sign';
import { ConnectivityError, usageError } from '../../codes/connectivity-error.js';
import { Secret } from '../../codes/secret.js';
import { present } from '../../files/json.js';
import { isHostName } from '../../net/host-name.js';
import { checkGiven } from '../given-text.js';
import type { CallOptions } from '../http/message.js';
import { type PrivateKey, type SignCallback, signedBy, signingKey } from './signing-key.js';

/** The default validity of a JWT, in seconds. */
export const JWT_LIFETIME_SECONDS = 300;

const JTI_BYTES = 48;

/** The time by which `iat` lies back, so that a clock that is a little ahead signs no JWT of the future. */
const ISSUED_BEFORE_SECONDS = 5;

/** The device that usage is recorded for; one of the two is enough. Enterprise flagship only. */
export interface DeviceInfo {
  readonly deviceId?: string;
  /**
   * An entity of your own, such as the user name of an app; unrelated to the `user_id` of a chat. Not a
   * phone number or anything else that identifies a person.
   */
  readonly customConsumer?: string;
}

/** The signer: a private key, or a callback to the place where the key is kept. */
export type JwtKey =
  | { readonly privateKey: PrivateKey; readonly sign?: undefined }
  | { readonly sign: SignCallback; readonly privateKey?: undefined };

export type JwtOptions = JwtClaimOptions & JwtKey;

export interface JwtClaimOptions {
  /** `kid`: the fingerprint of the public key. */
  readonly keyId: string;
  /** `iss`: the ID of the OAuth application. */
  readonly appId: string;
  /** `aud`: the service's API host, whichever domain or address is called. */
  readonly apiHost: string;
  /** Seconds from now to `exp`; not the lifetime of the access token. @default 300 */
  readonly lifetimeSeconds?: number;
  /** Separates the conversation histories of users. */
  readonly sessionName?: string;
  readonly device?: DeviceInfo;
  /** Milliseconds since the epoch. @default the system's clock */
  readonly now?: () => number;
}

export interface JwtClaims {
  readonly iss: string;
  readonly aud: string;
  /** Unix time in seconds, 5 before the JWT was signed: few clocks agree to the second. */
  readonly iat: number;
  /** Unix time in seconds. */
  readonly exp: number;
  readonly jti: string;
  readonly session_name?: string;
  readonly session_context?: {
    readonly device_info: { readonly device_id?: string; readonly custom_consumer?: string };
  };
}

/**
 * Signs a JWT for one token request; each has its own random `jti` and can be used once.
 *
 * @param call how long to wait for a signature; by default 10 s
 * @throws ConnectivityError `usage.invalid`, `key.unusable`
 */
export async function signJwt(
  options: JwtOptions,
  call?: CallOptions,
): Promise<{ jwt: Secret; claims: JwtClaims }> {
  const claims = jwtClaims(options);
  const header = { alg: 'RS256', typ: 'JWT', kid: options.keyId };
  const jwt =
    options.sign === undefined
      ? await new SignJWT({ ...claims })
          .setProtectedHeader(header)
          .sign(signingKey(options.privateKey))
      : await signedBy(options.sign, header, claims, call);
  return { jwt: new Secret(jwt), claims };
}

/** The claims that {@link signJwt} signs; new at each call. */
export function jwtClaims(options: JwtClaimOptions): JwtClaims {
  checkOptions(options);
  const { sessionName, device, lifetimeSeconds = JWT_LIFETIME_SECONDS } = options;
  const now = Math.floor((options.now ?? Date.now)() / 1000);
  return {
    iss: options.appId,
    aud: options.apiHost,
    iat: now - ISSUED_BEFORE_SECONDS,
    exp: now + lifetimeSeconds,
    jti: randomBytes(JTI_BYTES).toString('base64url'),
    ...(sessionName !== undefined && { session_name: sessionName }),
    ...(device && {
      session_context: {
        device_info: present({
          device_id: device.deviceId,
          custom_consumer: device.customConsumer,
        }),
      },
    }),
  };
}

type Names = Readonly<Record<string, string>>;

/**
 * Lists what the service advises against but does not refuse, in one sentence each.
 *
 * @param names what the sentences call the fields
 */
export function jwtWarnings(
  { device, sessionName }: Pick<JwtOptions, 'device' | 'sessionName'>,
  names: Names = {},
): string[] {
  const session = `\`${names.sessionName ?? 'sessionName'}\` should be the ID of the user: without it the chats of users may be mixed`;
  return [...(sessionName === undefined ? [session] : []), ...deviceWarnings(device, names)];
}

/** Usage is recorded under these IDs. */
function deviceWarnings(device: DeviceInfo | undefined, names: Names): string[] {
  const { customConsumer = '' } = device ?? {};
  if (!looksLikePhoneNumber(customConsumer)) return [];
  const field = names.customConsumer ?? 'device.customConsumer';
  return [`\`${field}\` looks like a phone number; use an ID that names no person`];
}

function looksLikePhoneNumber(text: string): boolean {
  return /^(\+\d{8,15}|(0086|86)?1[3-9]\d{9})$/.test(text.replace(/[\s().-]/g, ''));
}

function checkOptions({ lifetimeSeconds, device, ...ids }: JwtClaimOptions): void {
  for (const field of ['keyId', 'appId', 'apiHost'] as const) checkGiven(field, ids[field]);
  for (const field of ['keyId', 'appId'] as const) checkId(field, ids[field]);
  checkApiHost(ids.apiHost);
  if (ids.sessionName !== undefined) checkGiven('sessionName', ids.sessionName);
  if (
    lifetimeSeconds !== undefined &&
    !(Number.isInteger(lifetimeSeconds) && lifetimeSeconds > 0)
  ) {
    refuse(`\`lifetimeSeconds\` must be a whole number above 0, got: ${lifetimeSeconds}`);
  }
  if (device && !device.deviceId && !device.customConsumer) {
    refuse('`device` must have `deviceId` or `customConsumer`');
  }
}

/** Beginnings and ends of the path of a file; a fingerprint in base64 may begin with a slash too. */
const FILE_PATH =
  /^(\.{1,2}|~[\w.-]*)[\\/]|^file:|^[a-z]:\\|^\/(?![a-z\d+/]{42}=?$)|\.(pem|key|pub|crt|cer|der|jwk|p8|p12|json)$/i;

/**
 * Refuses an ID with blanks or quotes, which come of copying, and a path: the service would not know it.
 *
 * @param field named in errors
 * @throws ConnectivityError `usage.invalid`
 */
export function checkId(field: string, id: string): void {
  if (/[\s\p{Cc}\p{Cf}\p{Cs}"'`“”‘’]/u.test(id)) {
    refuse(
      `\`${field}\` must have no blanks, quotes or invisible characters, got: ${JSON.stringify(id)}`,
    );
  }
  if (!FILE_PATH.test(id)) return;
  const wanted = /key/i.test(field)
    ? 'the fingerprint of the public key, as the edit page of the application shows it'
    : 'an ID, as the console shows it';
  refuse(`\`${field}\` must be ${wanted}, got: "${id}", which looks like the path of a file`);
}

function refuse(message: string): never {
  throw usageError(message);
}

/**
 * Checks the audience of a JWT: it is a host name and nothing else, whatever is called.
 *
 * @param field named in errors
 * @throws ConnectivityError `usage.invalid`
 */
export function checkApiHost(apiHost: string, field = 'apiHost'): void {
  if (isHostName(apiHost)) return;
  throw new ConnectivityError(
    'usage.invalid: audience',
    `\`${field}\` must be a host name without scheme, port or path, got: "${apiHost}"`,
  );
}
