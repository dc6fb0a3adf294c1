import { ConnectivityError } from '../codes/connectivity-error.js';

/**
 * Signs in place of a private key, say in a key management service.
 *
 * @param signingInput what to sign: header and claims as they are sent
 * @returns the signature RSASSA-PKCS1-v1_5 with SHA-256, as raw bytes
 */
export type SignCallback = (signingInput: Uint8Array) => Promise<Uint8Array> | Uint8Array;

/** The signature of the shortest key that is accepted, 2048 bits. */
const SHORTEST_BYTES = 256;

/** A JWT that a callback signed. @throws ConnectivityError `key.sign-failed` */
export async function signedBy(
  sign: SignCallback,
  header: object,
  claims: object,
): Promise<string> {
  const signed = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = await signatureOf(sign, Buffer.from(signed));
  return `${signed}.${Buffer.from(signature).toString('base64url')}`;
}

async function signatureOf(sign: SignCallback, input: Uint8Array): Promise<Uint8Array> {
  let signature: unknown;
  try {
    signature = await sign(input);
  } catch (cause) {
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
