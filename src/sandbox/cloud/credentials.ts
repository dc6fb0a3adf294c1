import type { IncomingHttpHeaders } from 'node:http';
import { CloudError } from './cloud-error.js';
import { ACCOUNT_ID } from './region.js';

/** The version of the service that gives out roles. */
export const STS_VERSION = '2018-01-01';

/** The key pair of whoever acts in a role. Like the account's own, it opens nothing but the sandbox. */
const ROLE_KEYS = {
  AccessKeyId: 'AKSANDBOXROLE',
  SecretAccessKey: 'sandbox-role',
  SessionToken: 'sandbox-role-session',
} as const;

const MIN_SECONDS = 900;
const MAX_SECONDS = 43_200;

/** Whether a key pair is a role's, with the token of its session. */
function isRoleSession(accessKey: string | undefined, token: unknown): boolean {
  return accessKey === ROLE_KEYS.AccessKeyId && token === ROLE_KEYS.SessionToken;
}

/**
 * Answers `AssumeRole`: the account has every role that is named after it or another account, for who
 * trusts whom is not emulated.
 *
 * @throws CloudError
 */
export function assumeRole(parameters: URLSearchParams): object {
  const trn = parameters.get('RoleTrn') ?? '';
  const [, account, role] = /^trn:iam::(\d+):role\/([\w+=,.@/-]{1,64})$/.exec(trn) ?? [];
  if (account === undefined) {
    throw new CloudError(
      'InvalidRoleTrn',
      `\`RoleTrn\` must be trn:iam::ACCOUNT:role/NAME, got: "${trn}"`,
    );
  }
  const session = parameters.get('RoleSessionName') ?? '';
  if (session === '') {
    throw new CloudError('MissingParameter', '`RoleSessionName` is required');
  }
  const seconds = Number(parameters.get('DurationSeconds') ?? 3600);
  if (!(seconds >= MIN_SECONDS && seconds <= MAX_SECONDS)) {
    throw new CloudError(
      'InvalidDurationSeconds',
      `\`DurationSeconds\` must be ${MIN_SECONDS} to ${MAX_SECONDS}, got: ${seconds}`,
    );
  }
  const now = Date.now();
  return {
    Credentials: {
      CurrentTime: new Date(now).toISOString(),
      ExpiredTime: new Date(now + seconds * 1000).toISOString(),
      ...ROLE_KEYS,
    },
    AssumedRoleUser: {
      Trn: `trn:sts::${account}:assumed-role/${role}/${session}`,
      AssumedRoleId: `${ACCOUNT_ID}:${session}`,
    },
  };
}

/**
 * Checks that a signed request is signed with the sandbox's access key, or that of a role's session. The signature is not
 * recomputed, for the key is no secret here; the stand-in provider does not sign at all.
 */
export function checkAccessKey(headers: IncomingHttpHeaders, accessKey: string): void {
  const { authorization, 'x-security-token': token } = headers;
  if (authorization === undefined) return;
  const credential = /^HMAC-SHA256 Credential=([^/,\s]+)\//.exec(authorization)?.[1];
  if (credential !== accessKey && !isRoleSession(credential, token)) {
    throw new CloudError('InvalidAccessKey', 'the access key is not known', 401);
  }
}
