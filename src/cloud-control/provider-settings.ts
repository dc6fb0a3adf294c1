import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { usageError } from '../codes/connectivity-error.js';
import { Secret } from '../codes/secret.js';
import { asObject, asText } from '../files/json.js';
import { type Credentials, signRequest } from './sign-request.js';
import { parseObject, readResult, type Transport } from './transport.js';

/** A stack's provider block, by the names of its attributes; the environment has the rest. */
export type ProviderBlock = Readonly<Record<string, unknown>>;

/** The endpoints and the identity that the provider uses. */
export interface ProviderSettings {
  readonly region: string;
  /** The address of the Cloud Control API. */
  readonly endpoint: URL;
  /** The address of the service that gives out roles. */
  readonly stsEndpoint: URL;
  /** @default - as the environment's HTTPS_PROXY says */
  readonly proxy: string | undefined;
  /** A profile of the vendor's command line, and its file. */
  readonly profile: string | undefined;
  readonly profileFile: string | undefined;
  readonly assumeRole: { readonly trn: string; readonly durationSeconds: number } | undefined;
}

const ROLE_SECONDS = 3600;

/**
 * Reads what the provider reads, from the same places: its block first, then the environment.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function readProviderSettings(
  block: ProviderBlock,
  env: NodeJS.ProcessEnv,
): ProviderSettings {
  const endpoints = block.endpoints as ProviderBlock | undefined;
  const role = block.assume_role as ProviderBlock | undefined;
  const pick = (value: unknown, variable: string) =>
    typeof value === 'string' && value !== '' ? value : env[variable] || undefined;
  const region = pick(block.region, 'VOLCENGINE_REGION');
  if (region === undefined) {
    throw usageError(
      '`VOLCENGINE_REGION` must name the region where the provider block does not, got: nothing',
    );
  }
  const isPlain =
    block.disable_ssl === true || /^(1|t|true)$/i.test(env.VOLCENGINE_DISABLE_SSL ?? '');
  const url = (given: unknown, variable: string, otherwise: string) =>
    readEndpoint(pick(given, variable) ?? otherwise, isPlain ? 'http' : 'https', variable);
  const trn = pick(role?.assume_role_trn, 'VOLCENGINE_ASSUME_ROLE_TRN');
  const seconds = Number(
    role?.duration_seconds ?? env.VOLCENGINE_ASSUME_ROLE_DURATION_SECONDS ?? ROLE_SECONDS,
  );
  return {
    region,
    endpoint: url(
      endpoints?.cloudcontrolapi,
      'VOLCENGINE_CC_ENDPOINT',
      `cloudcontrol.${region}.volcengineapi.com`,
    ),
    stsEndpoint: url(endpoints?.sts, 'VOLCENGINE_STS_ENDPOINT', 'sts.volcengineapi.com'),
    proxy: pick(block.proxy_url, 'VOLCENGINE_PROXY_URL'),
    profile: pick(block.profile, 'VOLCENGINE_PROFILE'),
    profileFile: pick(block.file_path, 'VOLCENGINE_FILE_PATH'),
    assumeRole: trn === undefined ? undefined : { trn, durationSeconds: seconds },
  };
}

function readEndpoint(text: string, scheme: string, variable: string): URL {
  const url = URL.parse(text.includes('://') ? text : `${scheme}://${text}`);
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw usageError(`\`${variable}\` must be a host, or a URL with http or https, got: "${text}"`);
}

const STS_VERSION = '2018-01-01';

/**
 * The credentials that the provider would use: the keys of the environment, else a profile of the
 * vendor's command line; where a role is to be assumed, the role's.
 *
 * @throws ConnectivityError `usage.invalid` where there are none
 */
export async function readCredentials(
  settings: ProviderSettings,
  env: NodeJS.ProcessEnv,
  transport: Transport,
): Promise<Credentials> {
  const { VOLCENGINE_ACCESS_KEY, VOLCENGINE_SECRET_KEY, VOLCENGINE_SESSION_TOKEN } = env;
  const own = keysFrom(VOLCENGINE_ACCESS_KEY, VOLCENGINE_SECRET_KEY, VOLCENGINE_SESSION_TOKEN);
  const credentials = own ?? (await readProfile(settings));
  if (credentials === undefined) {
    throw usageError(
      '`VOLCENGINE_ACCESS_KEY` and `VOLCENGINE_SECRET_KEY`, or `VOLCENGINE_PROFILE`, must be set, got: none',
    );
  }
  return settings.assumeRole ? assumeRole(settings, credentials, transport) : credentials;
}

async function readProfile({ profile, profileFile }: ProviderSettings) {
  if (profile === undefined) return undefined;
  const file = profileFile ?? join(homedir(), '.volcengine', 'config.json');
  const text = await readFile(file, 'utf8').catch(() => '');
  const profiles = asObject(parseObject(text).profiles);
  const { mode, ...found } = asObject(profiles?.[profile]) ?? {};
  const isValid = readExpiry(found['sts-expiration']) > Date.now();
  const credentials = keysFrom(found['access-key'], found['secret-key'], found['session-token']);
  if (credentials && (mode !== 'sso' || isValid)) return credentials;
  throw usageError(
    `\`VOLCENGINE_PROFILE\` must name a profile of ${file} with an access key and a secret key that are valid, got: "${profile}"; log in again, or set VOLCENGINE_ACCESS_KEY and VOLCENGINE_SECRET_KEY`,
  );
}

/** Some versions write seconds, others milliseconds. */
function readExpiry(written: unknown): number {
  const number = Number(written ?? 0);
  return number < 1e11 ? number * 1000 : number;
}

/** Assumes a role as the provider does, with long-lived keys and no session token. */
async function assumeRole(
  { stsEndpoint, region, assumeRole: role }: ProviderSettings,
  { accessKey, secretKey }: Credentials,
  transport: Transport,
): Promise<Credentials> {
  const url = new URL(stsEndpoint);
  url.search = new URLSearchParams({
    Action: 'AssumeRole',
    Version: STS_VERSION,
    RoleTrn: role?.trn ?? '',
    RoleSessionName: randomUUID(),
    DurationSeconds: String(role?.durationSeconds),
  }).toString();
  const request = { method: 'GET', url, body: '', service: 'sts', region } as const;
  const headers = signRequest(
    { ...request, contentType: 'application/x-www-form-urlencoded; charset=utf-8' },
    { accessKey, secretKey },
  );
  const answer = readResult(await transport({ ...request, headers }));
  const result = asObject(answer.Credentials) ?? {};
  const credentials = keysFrom(result.AccessKeyId, result.SecretAccessKey, result.SessionToken);
  if (credentials !== undefined) return credentials;
  throw new Error(`AssumeRole of ${role?.trn} answered without credentials.`);
}

function keysFrom(access: unknown, secret: unknown, token: unknown): Credentials | undefined {
  const [accessKey, secretKey, sessionToken] = [access, secret, token].map(asText);
  if (accessKey === undefined || secretKey === undefined) return undefined;
  return {
    accessKey,
    secretKey: new Secret(secretKey),
    sessionToken: sessionToken === undefined ? undefined : new Secret(sessionToken),
  };
}
