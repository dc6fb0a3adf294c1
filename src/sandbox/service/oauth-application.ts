import {
  type Application,
  type ApplicationKey,
  applicationKey,
  type Permission,
} from './application.js';

/** The most key pairs that an application can have. */
export const MAX_KEYS = 3;

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
