import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import type { FaultName } from '../faults/index.js';

/** A registered public key. */
interface ApplicationKey {
  /** The key's fingerprint. */
  readonly kid: string;
  readonly publicKey: KeyObject;
}

/** The permission points of the API that the sandbox has. */
export const PERMISSIONS = ['listWorkspace', 'chat', 'getChat', 'listMessage'] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** An OAuth application as the service knows it. */
export interface Application {
  readonly appId: string;
  readonly name: string;
  readonly type: 'enterprise-privileged' | 'channel';
  readonly enabled: boolean;
  readonly keys: readonly ApplicationKey[];
  /** The bounds of what the application may be authorized for; they grant nothing. */
  readonly permissions: readonly Permission[];
  /** What an administrator has confirmed. */
  readonly authorized: readonly Permission[];
}

/** Whether the application may use a permission: inside its bounds, and confirmed. */
export function grants({ permissions, authorized }: Application, permission: Permission): boolean {
  return permissions.includes(permission) && authorized.includes(permission);
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
  const without = (lost: Permission) => ({
    permissions: application.permissions.filter((permission) => permission !== lost),
  });
  return {
    ...application,
    ...(faults.has('app-deactivated') && { enabled: false }),
    ...(faults.has('app-type') && { type: 'channel' as const }),
    ...(faults.has('kid-unknown') && { keys: [] }),
    ...(faults.has('not-authorized') && { authorized: [] }),
    ...(faults.has('permission-missing') && without('listWorkspace')),
    ...(faults.has('chat-permission-missing') && without('chat')),
  };
}

/** The most key pairs that an application can have. */
const MAX_KEYS = 3;

/** What an administrator does with an OAuth application in the service's console. */
export class OAuthApplication {
  #now: Application;

  /** A new application: enabled, without keys, and authorized for nothing yet. */
  constructor(made: Pick<Application, 'appId' | 'name' | 'type' | 'permissions'>) {
    this.#now = { ...made, enabled: true, keys: [], authorized: [] };
  }

  /** As the service sees it now. */
  get current(): Application {
    return this.#now;
  }

  /**
   * Registers a public key; of a private key nothing but its public part is kept.
   *
   * @throws RangeError where there are three already
   */
  addKey(pem: string): ApplicationKey {
    const { keys } = this.#now;
    if (keys.length >= MAX_KEYS) {
      throw new RangeError(`an application has at most ${MAX_KEYS} keys; delete one first`);
    }
    const key = applicationKey(pem);
    this.#now = { ...this.#now, keys: [...keys.filter(({ kid }) => kid !== key.kid), key] };
    return key;
  }

  deleteKey(kid: string): void {
    this.#now = { ...this.#now, keys: this.#now.keys.filter((key) => key.kid !== kid) };
  }

  deactivate(): void {
    this.#now = { ...this.#now, enabled: false };
  }

  enable(): void {
    this.#now = { ...this.#now, enabled: true };
  }

  /** Sets the bounds. A permission that is new inside them still has to be authorized. */
  setPermissions(...permissions: Permission[]): void {
    this.#now = { ...this.#now, permissions };
  }

  /** Confirms the authorization for what the bounds hold now. */
  authorize(): void {
    this.#now = { ...this.#now, authorized: this.#now.permissions };
  }
}

/** An application that may do everything, with one key. @param key PEM */
export function authorizedApplication(appId: string, key: string): OAuthApplication {
  const application = new OAuthApplication({
    appId,
    name: 'connectivity-check',
    type: 'enterprise-privileged',
    permissions: PERMISSIONS,
  });
  application.addKey(key);
  application.authorize();
  return application;
}
