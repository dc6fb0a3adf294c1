import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import type { FaultName } from '../faults.js';

/** The most key pairs that an application can have. */
export const MAX_KEYS = 3;

/** A registered public key. */
export interface ApplicationKey {
  /** The key's fingerprint. */
  readonly kid: string;
  readonly publicKey: KeyObject;
}

/** An OAuth application as an administrator made it in the service's console. */
export interface Application {
  readonly appId: string;
  readonly name: string;
  readonly type: 'enterprise-privileged' | 'channel';
  readonly enabled: boolean;
  readonly keys: readonly ApplicationKey[];
  /** Permission points that were granted: `listWorkspace`. */
  readonly permissions: readonly string[];
}

/** Reads a public key as PEM, or takes it out of a private key. */
export function applicationKey(pem: string): ApplicationKey {
  const publicKey = createPublicKey(pem);
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return { kid: createHash('sha256').update(der).digest('base64url'), publicKey };
}

/** The application as faults make it. */
export function applicationUnder(
  faults: ReadonlySet<FaultName>,
  application: Application,
): Application {
  const { permissions } = application;
  return {
    ...application,
    ...(faults.has('app-deactivated') && { enabled: false }),
    ...(faults.has('app-type') && { type: 'channel' as const }),
    ...(faults.has('kid-unknown') && { keys: [] }),
    ...(faults.has('permission-missing') && {
      permissions: permissions.filter((permission) => permission !== 'listWorkspace'),
    }),
  };
}
