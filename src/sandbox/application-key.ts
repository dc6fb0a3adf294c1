import { generateKeyPair } from 'node:crypto';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { writeWhole } from '../files/whole-file.js';

const OWNER_ONLY = 0o600;

/** The application's private key (PKCS#8 PEM) out of its file, which is made where it is missing. */
export async function applicationPrivateKey(file: string): Promise<string> {
  if (existsSync(file)) {
    chmodSync(file, OWNER_ONLY);
    return readFileSync(file, 'utf8');
  }
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  writeWhole(file, privateKey, { mode: OWNER_ONLY });
  return privateKey;
}
