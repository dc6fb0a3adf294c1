import type { IncomingHttpHeaders } from 'node:http';
import { type JsonObject, textOf } from '../json.js';
import { CloudError } from './cloud-error.js';
import { REGION } from './region.js';
import { isRoleSession } from './role-session.js';

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

// The provider puts quotes around the region in some calls.
export function checkRegion(body: JsonObject): void {
  const region = textOf(body, 'RegionID').replaceAll('"', '');
  if (region !== '' && region !== REGION) {
    throw new CloudError('InvalidRegion', `\`RegionID\` must be ${REGION}, got: "${region}"`);
  }
}
