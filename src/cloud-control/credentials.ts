import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { Secret } from '../codes/secrets.js';
import type { ProviderSettings } from './provider-settings.js';
import { type Credentials, signRequest } from './sign-request.js';
import { asObject, parseObject, readResult, readText, type Transport } from './transport.js';

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
  const own = keysFrom(
    env.VOLCENGINE_ACCESS_KEY,
    env.VOLCENGINE_SECRET_KEY,
    env.VOLCENGINE_SESSION_TOKEN,
  );
  const credentials = own ?? (await readProfile(settings));
  if (credentials === undefined) {
    throw new ConnectivityError(
      'usage.invalid',
      '`VOLCENGINE_ACCESS_KEY` and `VOLCENGINE_SECRET_KEY`, or `VOLCENGINE_PROFILE`, must be set, got: none',
    );
  }
  return settings.assumeRole ? assumeRole(settings, credentials, transport) : credentials;
}

async function readProfile({ profile, profileFile }: ProviderSettings) {
  if (profile === undefined) return undefined;
  const file = profileFile ?? join(homedir(), '.volcengine', 'config.json');
  const text = await readFile(file, 'utf8').catch(() => '');
  const { mode, ...found } = asObject(asObject(parseObject(text).profiles)[profile]);
  const isValid = readExpiry(found['sts-expiration']) > Date.now();
  const credentials = keysFrom(found['access-key'], found['secret-key'], found['session-token']);
  if (credentials && (mode !== 'sso' || isValid)) return credentials;
  throw new ConnectivityError(
    'usage.invalid',
    `\`VOLCENGINE_PROFILE\` must name a profile of ${file} with an access key and a secret key that are valid, got: "${profile}"; log in anew, or set VOLCENGINE_ACCESS_KEY and VOLCENGINE_SECRET_KEY`,
  );
}

/** Some versions write seconds, others milliseconds. */
function readExpiry(written: unknown): number {
  const number = Number(written ?? 0);
  return number < 1e11 ? number * 1000 : number;
}

/** As the provider does, without the session token: a role is assumed with long-lived keys. */
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
  const result = asObject(readResult(await transport({ ...request, headers })).Credentials);
  const credentials = keysFrom(result.AccessKeyId, result.SecretAccessKey, result.SessionToken);
  if (credentials !== undefined) return credentials;
  throw new Error(`AssumeRole of ${role?.trn} answered without credentials.`);
}

function keysFrom(access: unknown, secret: unknown, token: unknown): Credentials | undefined {
  const [accessKey, secretKey, sessionToken] = [access, secret, token].map(readText);
  if (accessKey === undefined || secretKey === undefined) return undefined;
  return {
    accessKey,
    secretKey: new Secret(secretKey),
    sessionToken: sessionToken === undefined ? undefined : new Secret(sessionToken),
  };
}
