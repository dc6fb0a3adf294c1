import { createPublicKey } from 'node:crypto';
import { fingerprintOf, isFingerprintOf } from '../../codes/public-key.js';
import type { Secret } from '../../codes/secret.js';
import { readBounded } from '../../files/bounded-read.js';
import { present } from '../../files/json.js';
import type { CallOptions } from '../../service/http/message.js';
import { type JwtClaims, signJwt } from '../../service/token/jwt.js';
import type { LoadedKey } from '../../service/token/load-private-key.js';
import { KEY_TEXT, type RunOptions } from '../model/options.js';

/** The facts that a report gives of a key. */
export interface KeyFacts {
  readonly keyBits?: number | undefined;
  /** Set when the group of its file can read it: the chmod that would change it. */
  readonly groupReadable?: string | undefined;
  /** The key's own fingerprint, set where the key ID is one of another key, or names a file with a key. */
  readonly ownFingerprint?: string | undefined;
}

/** Makes the JWTs of a run, wherever its key is. */
export interface Signer {
  /** The source of the key; undefined if none is given. */
  readonly source: string | undefined;
  /** @throws ConnectivityError `key.*` */
  readonly inspect: () => Promise<KeyFacts>;
  /**
   * A JWT for one token call.
   *
   * @param now milliseconds since the epoch; by default the clock of where the key is
   * @throws ConnectivityError `key.*`, `preflight.*`
   */
  readonly sign: (
    apiHost: string,
    call: CallOptions,
    now?: (() => number) | undefined,
  ) => Promise<{ readonly jwt: Secret; readonly claims: JwtClaims }>;
}

/** Signs in this process. */
export function createSigner(
  { credentials = {}, names }: Pick<RunOptions, 'credentials' | 'names'>,
  load: () => Promise<LoadedKey>,
): Signer {
  const { privateKeyFile, privateKey = '' } = credentials;
  const text = names?.[KEY_TEXT] ?? 'given as text';
  return {
    source: privateKeyFile ?? (privateKey.trim() === '' ? undefined : text),
    inspect: async () => {
      const { key, groupReadable } = await load();
      const publicKey = createPublicKey(key);
      const { keyId = '' } = credentials;
      const isOther = !(isFingerprintOf(keyId, publicKey) ?? !isKeyFile(keyId));
      const ownFingerprint = isOther ? fingerprintOf(publicKey) : undefined;
      return { keyBits: key.asymmetricKeyDetails?.modulusLength, groupReadable, ownFingerprint };
    },
    sign: async (apiHost, call, now) => {
      const { appId = '', keyId = '' } = credentials;
      const privateKey = (await load()).key;
      return await signJwt({ appId, keyId, apiHost, privateKey, ...present({ now }) }, call);
    },
  };
}

/** True for the name of a file that holds a key, such as `id_rsa`, in place of the key's fingerprint. */
function isKeyFile(name: string): boolean {
  try {
    return /-----BEGIN [A-Z ]*KEY-----|^ssh-rsa /.test(
      readBounded(name, { maxBytes: 2 ** 16 }).toString(),
    );
  } catch {
    return false;
  }
}
