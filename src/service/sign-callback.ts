import { ConnectivityError } from '../codes/connectivity-error.js';
import { REQUEST_TIMEOUT_MS } from './limits.js';
import type { CallOptions } from './service-request.js';
import { TimedOut, withTimeout } from './with-timeout.js';

/**
 * Signs in place of a private key, say in a key management service.
 *
 * @param signingInput what to sign: header and claims as they are sent
 * @param signal ends when nobody waits for the signature any more
 * @returns the signature RSASSA-PKCS1-v1_5 with SHA-256, as raw bytes
 */
export type SignCallback = (
  signingInput: Uint8Array,
  signal?: AbortSignal,
) => Promise<Uint8Array> | Uint8Array;

/** The signature of the shortest key that is accepted, 2048 bits. */
const SHORTEST_BYTES = 256;

/** A JWT that a callback signed. @throws ConnectivityError `key.sign-failed` */
export async function signedBy(
  sign: SignCallback,
  header: object,
  claims: object,
  call: CallOptions = {},
): Promise<string> {
  const signed = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = await signatureOf(sign, Buffer.from(signed), call);
  return `${signed}.${Buffer.from(signature).toString('base64url')}`;
}

async function signatureOf(
  sign: SignCallback,
  input: Uint8Array,
  { signal, timeoutMs = REQUEST_TIMEOUT_MS }: CallOptions,
): Promise<Uint8Array> {
  let signature: unknown;
  try {
    signature = await withTimeout(timeoutMs, signal, async (own) => sign(input, own));
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (cause instanceof TimedOut) throw notSigned(timeoutMs);
    throw new ConnectivityError('key.sign-failed', '`sign` failed; its own error is the cause', {
      cause,
    });
  }
  if (signature instanceof Uint8Array && signature.length >= SHORTEST_BYTES) return signature;
  const got = signature instanceof Uint8Array ? `${signature.length} bytes` : typeof signature;
  throw new ConnectivityError(
    'key.sign-failed',
    `\`sign\` must give at least ${SHORTEST_BYTES} raw bytes of signature, got: ${got}`,
  );
}

/** What a wait for a signature ends with that takes too long. */
export function notSigned(timeoutMs: number): ConnectivityError {
  return new ConnectivityError(
    'key.sign-failed',
    `\`sign\` must give a signature within ${Math.round(timeoutMs)} ms, got: none`,
  );
}
