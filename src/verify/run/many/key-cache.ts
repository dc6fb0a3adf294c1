import type { LoadedKey } from '../../../service/token/load-private-key.js';
import type { Credentials } from '../../model/options.js';

const MOST_KEYS = 256;

/** Loads each private key once, as long as it is among the latest in use. */
export class KeyCache {
  readonly #keys = new Map<string, Promise<LoadedKey>>();
  readonly #load: (credentials: Credentials) => Promise<LoadedKey>;

  constructor(load: (credentials: Credentials) => Promise<LoadedKey>) {
    this.#load = load;
  }

  get(credentials: Credentials): Promise<LoadedKey> {
    const { privateKeyFile, privateKey } = credentials;
    const name = privateKeyFile === undefined ? `text ${privateKey}` : `file ${privateKeyFile}`;
    const key = this.#keys.get(name) ?? this.#load(credentials);
    // A map keeps the order of insertion: the first is the one that was not used for longest.
    this.#keys.delete(name);
    this.#keys.set(name, key);
    if (this.#keys.size > MOST_KEYS) {
      const [oldest = ''] = this.#keys.keys();
      this.#keys.delete(oldest);
    }
    return key;
  }
}
