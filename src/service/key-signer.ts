import { KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { type PrivateKey, signingKey } from './private-key.js';
import type { SignCallback } from './sign-callback.js';

// With a callback Node.js signs beside its own thread; without one it would hold all other checks.
const signAside = promisify(sign);

/**
 * Signs with a private key that is at hand.
 *
 * @throws ConnectivityError `key.unreadable`, `key.not-rsa`, `key.too-short`, before anything is signed
 */
export function keySigner(privateKey: PrivateKey): SignCallback {
  const key = signingKey(privateKey);
  const object = key instanceof KeyObject ? key : KeyObject.from(key);
  return (input) => signAside('sha256', input, object);
}
