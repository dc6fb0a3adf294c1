import { createPrivateKey, KeyObject, type webcrypto } from 'node:crypto';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { shellWord } from '../../files/escape.js';
import { REQUEST_TIMEOUT_MS, TimedOut, withTimeout } from '../http/limits.js';
import type { CallOptions } from '../http/message.js';

const MIN_BITS = 2048;
const FIELD = '`privateKey`';

/** The place of a PEM, for the command that copies it. */
type KeyPlace = { readonly file: string } | { readonly variable: string };

/**
 * Reads an RSA private key in PEM, PKCS#8 or PKCS#1. Text with `\n` written as two characters, as
 * some CI systems store it, is understood.
 *
 * @param source named in errors: a file, a variable
 * @throws ConnectivityError `key.unusable`
 */
export function parsePrivateKey(pem: string, source: string): KeyObject {
  return parseKeyAt({ file: 'KEY' }, pem, source);
}

/** Reads a key as {@link parsePrivateKey} does, and says in errors where a command finds it. */
export function parseKeyAt(place: KeyPlace, pem: string, source: string): KeyObject {
  return checkRsa(readPem(pem, source, place), source);
}

/** A private key in one of the forms that can sign: PEM text, or a key of Node.js or of Web Cryptography. */
export type PrivateKey = string | KeyObject | webcrypto.CryptoKey;

/**
 * Checks that a key can sign RS256; text is read as PEM.
 *
 * @throws ConnectivityError `key.unusable`
 */
export function signingKey(key: PrivateKey): KeyObject | webcrypto.CryptoKey {
  if (typeof key === 'string') return parsePrivateKey(key, FIELD);
  if (key instanceof KeyObject) {
    if (key.type === 'private') return checkRsa(key, FIELD);
    throw unusable(`${FIELD} must be private, got: a ${key.type} key`);
  }
  // Callers without types can pass anything, such as what a file was loaded into.
  const { algorithm = {} } = (key ?? {}) as Partial<webcrypto.CryptoKey>;
  const { name, hash, modulusLength } = algorithm as Partial<webcrypto.RsaHashedKeyAlgorithm>;
  if (name === undefined) {
    throw unusable(
      `${FIELD} must be PEM text or a key, got: ${key === undefined ? 'none' : typeof key}`,
    );
  }
  if (name !== 'RSASSA-PKCS1-v1_5' || hash?.name !== 'SHA-256' || !key.usages.includes('sign')) {
    throw unusable(
      `${FIELD} must be able to sign RSASSA-PKCS1-v1_5 with SHA-256, got: ${name} ${hash?.name ?? ''} for ${key.usages.join(', ')}`,
    );
  }
  checkLength(modulusLength, FIELD);
  return key;
}

function unusable(message: string): ConnectivityError {
  return new ConnectivityError('key.unusable', message);
}

function checkRsa(key: KeyObject, source: string): KeyObject {
  if (key.asymmetricKeyType !== 'rsa') {
    throw unusable(`${source} must hold an RSA private key, got: ${key.asymmetricKeyType}`);
  }
  checkLength(key.asymmetricKeyDetails?.modulusLength, source);
  return key;
}

function checkLength(bits = 0, source: string): void {
  if (bits >= MIN_BITS) return;
  throw unusable(`${source} must hold an RSA key of at least ${MIN_BITS} bits, got: ${bits}`);
}

function readPem(pem: string, source: string, place: KeyPlace): KeyObject {
  const text = pem.includes('\n') ? pem : pem.replaceAll('\\n', '\n');
  try {
    return createPrivateKey({ key: text.replace(/^\uFEFF/, '').trim(), format: 'pem' });
  } catch {
    // The cause is left out: it can only repeat what the PEM label says.
    throw unusable(
      `${source} must hold an unencrypted PEM private key, got: ${describe(text, place)}`,
    );
  }
}

function describe(text: string, place: KeyPlace): string {
  const label = /-----BEGIN ([A-Z0-9 ]{1,40})-----/.exec(text)?.[1];
  if (label === undefined) return describeUnlabelled(text);
  const copies = copyCommands(place);
  if (label === 'OPENSSH PRIVATE KEY') {
    return `one in the format of OpenSSH; write a copy of it as PEM: ${copies.ofOpenSsh}`;
  }
  if (label === 'ENCRYPTED PRIVATE KEY' || /^Proc-Type:.*ENCRYPTED/m.test(text)) {
    return `an encrypted one; write a copy without its passphrase: ${copies.decrypted}`;
  }
  return label.endsWith('PRIVATE KEY') ? `a damaged ${label}` : `a PEM block labelled ${label}`;
}

/** Commands that copy a key into the file COPY; a text may have its line ends written as `\\n`. */
function copyCommands(place: KeyPlace) {
  const [read, copy] =
    'file' in place
      ? [`openssl pkey -in ${shellWord(place.file)}`, `cat ${shellWord(place.file)}`]
      : [`${print(place.variable)} | openssl pkey`, print(place.variable)];
  return {
    decrypted: `(umask 077; ${read} -out COPY)`,
    ofOpenSsh: `(umask 077; ${copy} > COPY; ssh-keygen -p -N '' -m PKCS8 -f COPY)`,
  };
}

const print = (variable: string) => `printf '%b\\n' "$${variable}"`;

/** The forms in which tools show fingerprints. */
export const FINGERPRINT = /^(SHA-?\d+|MD5):\S+$|^([\da-f]{2}:){15,}[\da-f]{2}$|^[\w-]{43}$/i;
export const A_FINGERPRINT = 'a fingerprint is the key ID (`keyId`, --key-id), and no key';

const PATH = /^(~|\.{0,2}[\\/]|[a-z]:\\)\S*$|^\S+\.(pem|key)$/i;

/** Describes how a PEM text was damaged, where its form shows it. */
function describeUnlabelled(text: string): string {
  const given = text.trim();
  if (given === '') return 'nothing';
  if (FINGERPRINT.test(given)) return A_FINGERPRINT;
  if (PATH.test(given)) return 'a path, which goes to `privateKeyFile` (--private-key-file)';
  if (/-\0-\0-|\0-\0-\0/.test(text)) return 'text in UTF-16; save it as UTF-8';
  const decoded = Buffer.from(text, 'base64').toString('latin1');
  if (decoded.includes('-----BEGIN ')) {
    return 'a PEM that is encoded in base64 once more; decode it (base64 -d)';
  }
  if (decoded.includes('-\0-\0-')) return 'a PEM in UTF-16 that is encoded in base64; decode both';
  return 'text without a PEM label';
}

/**
 * Signs in place of a private key, for example in a key management service.
 *
 * @param signingInput what to sign: header and claims as they are sent
 * @param signal aborts when the signature is no longer needed
 * @returns the signature RSASSA-PKCS1-v1_5 with SHA-256, as raw bytes
 */
export type SignCallback = (
  signingInput: Uint8Array,
  signal?: AbortSignal,
) => Promise<Uint8Array> | Uint8Array;

/** The signature of the shortest key that is accepted, 2048 bits. */
const MIN_BYTES = 256;

/** A JWT that a callback signed. @throws ConnectivityError `key.unusable` */
export async function signedBy(
  sign: SignCallback,
  header: object,
  claims: object,
  call: CallOptions = {},
): Promise<string> {
  const signed = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = await requestSignature(sign, Buffer.from(signed), call);
  return `${signed}.${Buffer.from(signature).toString('base64url')}`;
}

async function requestSignature(
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
    throw unsigned('`sign` failed; its own error is the cause', cause);
  }
  if (signature instanceof Uint8Array && signature.length >= MIN_BYTES) return signature;
  const got = signature instanceof Uint8Array ? `${signature.length} bytes` : typeof signature;
  throw unsigned(`\`sign\` must give at least ${MIN_BYTES} raw bytes of signature, got: ${got}`);
}

function unsigned(message: string, cause?: unknown): ConnectivityError {
  return new ConnectivityError('key.unusable: no signature', message, { cause });
}

/** Builds the error of a signature that takes too long. */
export function notSigned(timeoutMs: number): ConnectivityError {
  return unsigned(`\`sign\` must give a signature within ${Math.round(timeoutMs)} ms, got: none`);
}
