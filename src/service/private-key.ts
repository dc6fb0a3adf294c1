import { createPrivateKey, type KeyObject } from 'node:crypto';
import { ConnectivityError } from '../codes/connectivity-error.js';

const SHORTEST_BITS = 2048;

/**
 * Reads an RSA private key in PEM, PKCS#8 or PKCS#1. Text with `\n` written as two characters, as
 * some CI systems store it, is understood.
 *
 * @param source named in errors: a file, a variable
 * @throws ConnectivityError `key.unreadable`, `key.not-rsa`, `key.too-short`
 */
export function parsePrivateKey(pem: string, source: string): KeyObject {
  const key = readPem(pem, source);
  if (key.asymmetricKeyType !== 'rsa') {
    throw new ConnectivityError(
      'key.not-rsa',
      `${source} must hold an RSA private key, got: ${key.asymmetricKeyType}`,
    );
  }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < SHORTEST_BITS) {
    throw new ConnectivityError(
      'key.too-short',
      `${source} must hold an RSA key of at least ${SHORTEST_BITS} bits, got: ${bits}`,
    );
  }
  return key;
}

function readPem(pem: string, source: string): KeyObject {
  const text = pem.includes('\n') ? pem : pem.replaceAll('\\n', '\n');
  try {
    return createPrivateKey({ key: text.replace(/^\uFEFF/, '').trim(), format: 'pem' });
  } catch {
    // The cause is left out: it can only repeat what the PEM label says.
    throw new ConnectivityError(
      'key.unreadable',
      `${source} must hold an unencrypted PEM private key, got: ${describe(text)}`,
    );
  }
}

function describe(text: string): string {
  const label = /-----BEGIN ([A-Z0-9 ]{1,40})-----/.exec(text)?.[1];
  if (label === undefined) return text.trim() === '' ? 'nothing' : 'text without a PEM label';
  if (label.endsWith('PRIVATE KEY') && !label.startsWith('ENCRYPTED')) {
    return /ENCRYPTED/.test(text) ? 'an encrypted private key' : `a damaged ${label}`;
  }
  return `a PEM block labelled ${label}`;
}
