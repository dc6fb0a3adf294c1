import { type JsonObject, textOf } from '../json.js';
import { CloudError } from './cloud-error.js';
import { REGION } from './region.js';

/**
 * Checks that a signed request is signed with the sandbox's access key. The signature is not
 * recomputed, for the key is no secret here; the stand-in provider does not sign at all.
 */
export function checkAccessKey(authorization: string | undefined, accessKey: string): void {
  if (authorization === undefined) return;
  const credential = /^HMAC-SHA256 Credential=([^/,\s]+)\//.exec(authorization)?.[1];
  if (credential !== accessKey) {
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
