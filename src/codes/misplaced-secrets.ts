import { ConnectivityError } from './connectivity-error.js';
import { findSecret } from './redact.js';

/**
 * Refuses data in which a field holds a secret that would be shown, sent as an identifier or written
 * to a file. What is a secret by its purpose is left out by the caller.
 *
 * @param nameOf what the user calls the field at a path: `--key-id`
 * @throws ConnectivityError `credentials.misplaced` naming every such field, and no value
 */
export function refuseSecrets(data: unknown, nameOf?: (path: string) => string): void {
  const problems = misplacedSecrets(data, nameOf);
  if (problems.length > 0)
    throw new ConnectivityError('credentials.misplaced', problems.join('; '));
}

/** One sentence for each field that holds a secret. */
export function misplacedSecrets(data: unknown, nameOf = (path: string) => path): string[] {
  return collectSecrets(data, '').map(([path, kind]) => {
    const must = /file$/i.test(path) ? 'must be the path of a file' : 'must not hold a secret';
    const key = /privateKeyFile$/.test(path)
      ? '; the text of a key goes to `privateKey` or SECURE_CONNECTIVITY_PRIVATE_KEY'
      : '';
    return `\`${nameOf(path)}\` ${must}, got: ${kind}, which is not shown${key}`;
  });
}

function collectSecrets(data: unknown, path: string): [path: string, kind: string][] {
  if (typeof data === 'string') {
    const kind = findSecret(data);
    return kind === undefined ? [] : [[path, kind]];
  }
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).flatMap(([key, value]) => [
    ...collectSecrets(key, path),
    ...collectSecrets(value, path === '' ? key : `${path}.${key}`),
  ]);
}
