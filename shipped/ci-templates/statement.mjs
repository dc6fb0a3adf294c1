/**
 * The statement of a review that may be merged: what was compared, the decision and who approved.
 *
 * `secure-connectivity deploy --reviewed` reads it. It is signed by jose, as a compact JWS, with the key
 * in CONNECTIVITY_STATEMENT_KEY; the job that holds the key runs no code of a change.
 */
import { createPrivateKey } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const ALGORITHMS = { ed25519: 'EdDSA', rsa: 'RS256', ec: 'ES256' };

/**
 * Completes statement.json of the folder; writes statement.jws beside it where there is a key.
 *
 * @param {string} folder
 * @param {{ fingerprint: string, approvedBy: readonly string[], say: (text: string) => void }} verdict
 */
export async function writeStatement(folder, { fingerprint, approvedBy, say }) {
  const file = join(folder, 'statement.json');
  if (!existsSync(file)) return;
  const reviewed = JSON.parse(readFileSync(file, 'utf8'));
  const statement = { ...reviewed, fingerprint, approvedBy, change: changeOf(process.env) };
  const text = `${JSON.stringify(statement)}\n`;
  writeFileSync(file, text);
  const pem = process.env.CONNECTIVITY_STATEMENT_KEY;
  if (!pem) {
    say('statement.json is unsigned: CONNECTIVITY_STATEMENT_KEY is not set');
    return;
  }
  const { CompactSign } = await import('jose');
  const key = readKey(pem);
  const alg = ALGORITHMS[key.asymmetricKeyType ?? ''];
  if (alg === undefined) throw new TypeError('the key must be Ed25519, EC P-256 or RSA');
  const signed = new CompactSign(new TextEncoder().encode(text)).setProtectedHeader({ alg });
  writeFileSync(join(folder, 'statement.jws'), `${await signed.sign(key)}\n`);
  say('statement.jws is signed');
}

/** @param {string} pem never part of an error */
function readKey(pem) {
  try {
    return createPrivateKey(pem.includes('\n') ? pem : pem.replaceAll('\\n', '\n'));
  } catch {
    throw new TypeError('CONNECTIVITY_STATEMENT_KEY must be a private key in PKCS #8 PEM');
  }
}

/** @param {NodeJS.ProcessEnv} env @returns {string} the address of the change request, as far as it is known */
function changeOf(env) {
  if (env.GITHUB_REPOSITORY) {
    return `${env.GITHUB_SERVER_URL ?? ''}/${env.GITHUB_REPOSITORY}/pull/${env.PULL_REQUEST ?? ''}`;
  }
  return `${env.CI_PROJECT_URL ?? ''}/-/merge_requests/${env.CI_MERGE_REQUEST_IID ?? ''}`;
}
