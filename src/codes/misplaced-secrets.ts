import { ConnectivityError } from './connectivity-error.js';
import { fingerprintOf, readPublicKey } from './public-key.js';
import { findSecret } from './redact.js';

/**
 * Refuses data in which a field holds a secret that would be shown, sent as an identifier or written
 * to a file. What is a secret by its purpose is left out by the caller.
 *
 * @param nameOf what the user calls the field at a path: `--key-id`
 * @throws ConnectivityError `credentials.missing` naming every such field, and no value
 */
export function refuseSecrets(data: unknown, nameOf?: (path: string) => string): void {
  const problems = misplacedSecrets(data, nameOf);
  if (problems.length > 0) throw new ConnectivityError('credentials.missing', problems.join('; '));
}

/** One sentence for each field that holds a secret, or a public key, which has the shape of one. */
export function misplacedSecrets(data: unknown, nameOf = (path: string) => path): string[] {
  return collectSecrets(data, '').map(([path, text, kind]) => {
    const key = readPublicKey(text);
    const isOfFile = /file$/i.test(path);
    const no = key === undefined ? 'must not hold a secret' : 'must not hold a key';
    const isId = key !== undefined && /(^|\.)(keyId|kid)$/.test(path);
    const rule = isId ? 'must be the fingerprint of the public key' : no;
    const must = isOfFile ? 'must be the path of a file' : rule;
    const got = key
      ? `a public key with the SHA-256 fingerprint ${fingerprintOf(key)}`
      : `${kind}, which is not shown`;
    const place =
      key === undefined && /privateKeyFile$/.test(path)
        ? '; the text of a key goes to `privateKey` or SECURE_CONNECTIVITY_PRIVATE_KEY'
        : '';
    return `\`${nameOf(path)}\` ${must}, got: ${got}${place}`;
  });
}

function collectSecrets(
  data: unknown,
  path: string,
): (readonly [path: string, text: string, kind: string])[] {
  if (typeof data === 'string') {
    const kind = findSecret(data);
    return kind === undefined ? [] : [[path, data, kind]];
  }
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).flatMap(([key, value]) => [
    ...collectSecrets(key, path),
    ...collectSecrets(value, path === '' ? key : `${path}.${key}`),
  ]);
}
