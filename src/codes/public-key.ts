import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  X509Certificate,
} from 'node:crypto';

/** Reads text that is a public key or certificate and nothing else, in the forms that people copy; undefined for other text. */
export function readPublicKey(text: string): KeyObject | undefined {
  const plain = text.trim().replace(/\\r|\\n/g, '\n');
  try {
    if (plain.startsWith('{')) return readJwk(plain);
    const labelled = /^-----BEGIN ([A-Z ]+)-----([^-]+)-----END \1-----$/.exec(plain);
    const [, label = '', body = plain.replace(/^ssh-rsa\s+(\S+).*$/, '$1')] = labelled ?? [];
    if (/PRIVATE/.test(label) || !/^[\w\s+/-]+={0,2}$/.test(body.trim())) return undefined;
    const bytes = Buffer.from(body, 'base64');
    const inner = bytes.toString('latin1');
    return inner.startsWith('-----BEGIN ') ? readPublicKey(inner) : readBytes(bytes);
  } catch {
    return undefined;
  }
}

/** A private key in this form says all that a public one does. */
function readJwk(text: string): KeyObject | undefined {
  const key = JSON.parse(text);
  const isPrivate = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'].some((member) => member in key);
  return isPrivate ? undefined : createPublicKey({ key, format: 'jwk' });
}

function readBytes(bytes: Buffer): KeyObject | undefined {
  if (bytes.toString('latin1', 4, 11) === SSH_RSA) return readSshKey(bytes);
  const forms: readonly (() => KeyObject | undefined)[] = [
    () => createPublicKey({ key: bytes, format: 'der', type: 'spki' }),
    () => new X509Certificate(bytes).publicKey,
    // Node.js makes a public key of a private one in this form.
    () =>
      isPrivateKey(bytes)
        ? undefined
        : createPublicKey({ key: bytes, format: 'der', type: 'pkcs1' }),
  ];
  for (const read of forms) {
    try {
      return read();
    } catch {
      // The next form may fit.
    }
  }
  return undefined;
}

function isPrivateKey(bytes: Buffer): boolean {
  try {
    createPrivateKey({ key: bytes, format: 'der', type: 'pkcs1' });
    return true;
  } catch {
    return false;
  }
}

const SSH_RSA = 'ssh-rsa';

/** A public key as OpenSSH keeps it (RFC 4253, 6.6): three parts, each with its length before it. */
function readSshKey(bytes: Buffer): KeyObject {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at);
    parts.push(withoutSign(bytes.subarray(at + 4, end)).toString('base64url'));
    at = end;
  }
  const [, e = '', n = ''] = parts;
  return createPublicKey({ key: { kty: 'RSA', e, n }, format: 'jwk' });
}

function withoutSign(number: Buffer): Buffer {
  return number[0] === 0 ? number.subarray(1) : number;
}

/** The SHA-256 fingerprint of a public key: of its SubjectPublicKeyInfo in DER. */
export function fingerprintOf(key: KeyObject): string {
  const spki = key.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(spki).digest('base64url');
}

/**
 * Compares an ID with the fingerprints of an RSA public key: of its SPKI and PKCS#1 in DER, of what
 * OpenSSH has of it, and its JWK thumbprint (RFC 7638).
 *
 * @returns undefined where the ID has no form of a fingerprint, so that nothing is known
 */
export function isFingerprintOf(id: string, key: KeyObject): boolean | undefined {
  const digest = readDigest(id);
  if (digest === undefined) return undefined;
  return digestedForms(key).some((form) =>
    createHash(digest.algorithm).update(form).digest().equals(digest.bytes),
  );
}

function digestedForms(key: KeyObject): (Buffer | string)[] {
  const { e = '', n = '' } = key.export({ format: 'jwk' });
  const numbers = [e, n].map((one) => {
    const bytes = Buffer.from(one, 'base64url');
    return (bytes[0] ?? 0) > 127 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
  });
  const ssh = [Buffer.from(SSH_RSA), ...numbers].flatMap((part) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(part.length);
    return [length, part];
  });
  return [
    key.export({ type: 'spki', format: 'der' }),
    key.export({ type: 'pkcs1', format: 'der' }),
    Buffer.concat(ssh),
    JSON.stringify({ e, kty: 'RSA', n }),
  ];
}

/** The digests by which tools name keys, by their length in bytes. */
const ALGORITHMS: Readonly<Record<number, string>> = { 16: 'md5', 20: 'sha1', 32: 'sha256' };

/** Reads a digest by its form: named, in pairs of hexadecimal digits, or as long as none but SHA-256 is. */
function readDigest(id: string): { algorithm: string; bytes: Buffer } | undefined {
  const [, name, text = ''] =
    /^(?:urn:ietf:params:oauth:jwk-thumbprint:)?(?:(SHA-?256|SHA-?1|MD5)[:=])?(.+)$/i.exec(id) ??
    [];
  const isHex = /^([\da-f]{2}:){15,31}[\da-f]{2}$|^[\da-f]{32,64}$/i.test(text);
  const bytes = isHex ? Buffer.from(text.replaceAll(':', ''), 'hex') : Buffer.from(text, 'base64');
  const algorithm = ALGORITHMS[bytes.length];
  const isOfForm = isHex || /^([\w-]{22,43}|[A-Za-z\d+/]{22,43})={0,2}$/.test(text);
  if (algorithm === undefined || !isOfForm) return undefined;
  // A short one without a name is as likely an ID of another kind.
  const isNamed = name?.toLowerCase().replace('-', '') === algorithm || text.includes(':');
  return isNamed || (name === undefined && algorithm === 'sha256')
    ? { algorithm, bytes }
    : undefined;
}
