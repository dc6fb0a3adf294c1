import { createHash, createPublicKey } from 'node:crypto';
import type { FaultName } from '../faults/index.js';

const PERMISSIONS = ['listWorkspace', 'chat', 'getChat', 'listMessage'] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** An OAuth application as the service knows it. What may change is what its administrator changes. */
export interface Application {
  readonly appId: string;
  readonly name: string;
  /** At most {@link MAX_KEYS}. */
  keys: readonly Readonly<ReturnType<typeof applicationKey>>[];
  permissions: readonly Permission[];
}

/** Reads a public key as PEM, or takes it out of a private key; its fingerprint is its `kid`. */
export function applicationKey(pem: string) {
  const publicKey = createPublicKey(pem);
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return { kid: createHash('sha256').update(der).digest('base64url'), publicKey };
}

/** Key pairs that an application can have. */
const MAX_KEYS = 3;

/**
 * Registers one more public key, as an administrator does in the console.
 *
 * @param pem of the public key, or of the private one
 * @throws RangeError for a fourth
 */
export function addKey(application: Application, pem: string) {
  if (application.keys.length >= MAX_KEYS) {
    throw new RangeError(`an application must have at most ${MAX_KEYS} key pairs`);
  }
  const key = applicationKey(pem);
  application.keys = [...application.keys, key];
  return key;
}

export function applicationUnder(
  faults: ReadonlySet<FaultName>,
  application: Application,
): Application {
  const isLost = (permission: Permission) =>
    faults.has('not-authorized') ||
    (permission === 'listWorkspace' && faults.has('permission-missing'));
  return {
    ...application,
    keys: faults.has('kid-unknown') ? [] : application.keys,
    permissions: application.permissions.filter((permission) => !isLost(permission)),
  };
}

/** An application that may do everything, with one key. @param key PEM */
export function authorizedApplication(appId: string, key: string): Application {
  const keys = [applicationKey(key)];
  return { appId, name: 'connectivity-check', keys, permissions: PERMISSIONS };
}
