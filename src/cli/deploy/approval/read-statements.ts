import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { compactVerify, decodeProtectedHeader } from 'jose';
import { ConnectivityError, usageError } from '../../../codes/connectivity-error.js';
import { issueText } from '../../../codes/issue-text.js';
import { parseBounded } from '../../../files/json-text.js';
import {
  type GivenStatement,
  isPassed,
  statementSchema,
} from '../../../review/statement/statement.js';
import { readNamedFile } from '../../program/named-files.js';

/**
 * Reads the statements of reviewed changes: JSON, or a compact JWS of it.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export async function readStatements(files: readonly string[]): Promise<GivenStatement[]> {
  const read = files.map(async (file) => {
    const text = (await readNamedFile('--reviewed', file)).trim();
    const jws = text.startsWith('{') ? undefined : text;
    const payload = jws === undefined ? text : payloadOf(jws, file);
    const { success, data, error } = statementSchema.safeParse(parseJson(payload, file));
    if (!success) {
      throw usageError(
        `\`--reviewed\` must name statements that a review wrote; ${error.issues.map((issue) => issueText(issue))[0]}, in ${file}`,
      );
    }
    const digest = digestOf(payload);
    return { file, statement: data, digest, ...(jws !== undefined && { jws }) };
  });
  return await Promise.all(read);
}

function digestOf(payload: string): string {
  return createHash('sha256').update(payload.trim()).digest('hex');
}

function payloadOf(jws: string, file: string): string {
  const [header = '', payload = '', signature = '', ...more] = jws.split('.');
  try {
    decodeProtectedHeader({ protected: header });
    if (payload !== '' && signature !== '' && more.length === 0) {
      return Buffer.from(payload, 'base64url').toString('utf8');
    }
  } catch {
    // Said below.
  }
  throw usageError(`\`--reviewed\` must name JSON or a compact JWS, got: ${file}`);
}

function parseJson(text: string, file: string): unknown {
  try {
    return parseBounded(text);
  } catch (cause) {
    throw usageError(`\`--reviewed\` must name JSON or a compact JWS, got: ${file}`, cause);
  }
}

/**
 * Refuses statements that approve nothing, or that the environment's key has not signed.
 *
 * @param key base64 of an SPKI; undefined if the environment names none
 * @throws ConnectivityError `deploy.not-reviewed`
 */
export async function checkStatements(
  given: readonly GivenStatement[],
  key: string | undefined,
): Promise<void> {
  const publicKey = key === undefined ? undefined : readPublicKey(key);
  for (const { file, statement, jws, digest } of given) {
    if (!isPassed(statement)) {
      throw notReviewed(
        `a statement must be of a change that may be merged, got: ${file}, which is ${statement.decision} and approved by nobody`,
      );
    }
    if (publicKey !== undefined) await checkSignature(publicKey, { file, jws, digest });
  }
}

async function checkSignature(
  key: KeyObject,
  { file, jws, digest }: { file: string; jws: string | undefined; digest: string },
) {
  if (jws === undefined) {
    throw notReviewed(
      `a statement must be signed by \`check.statementKey\`, got: ${file}, unsigned`,
    );
  }
  try {
    const { payload } = await compactVerify(jws, key, {
      algorithms: ['EdDSA', 'ES256', 'RS256'],
    });
    // Its head can say that the payload is not encoded.
    if (digestOf(Buffer.from(payload).toString('utf8')) !== digest) throw new TypeError('payload');
  } catch {
    throw notReviewed(
      `a statement must be signed by \`check.statementKey\`, got: ${file}, whose signature is of another key or another content`,
    );
  }
}

function readPublicKey(text: string): KeyObject {
  try {
    return createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
  } catch {
    throw notReviewed('`check.statementKey` of what is deployed must be a public key, got: none');
  }
}

export function notReviewed(problem: string): ConnectivityError {
  return new ConnectivityError('deploy.not-reviewed', `${problem}; nothing was changed`);
}
