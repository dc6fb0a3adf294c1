import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Faults of the private key. */
export const KEY_CODES = codesWithExit(EXIT.preflight, {
  'key.missing': {
    title: 'The private key file does not exist',
    cause: 'There is no file at the path given for the private key.',
    remedy: 'Set the path of the `private_key.pem` that you downloaded from the console.',
  },
  'key.unreadable': {
    title: 'The private key cannot be read',
    cause:
      'The file cannot be opened, or it is not an unencrypted PEM private key in PKCS#8 or PKCS#1.',
    remedy:
      'Give what the evidence asks for; the first line of a key is `-----BEGIN PRIVATE KEY-----` or `-----BEGIN RSA PRIVATE KEY-----`.',
  },
  'key.permissions': {
    title: 'Others can read the private key',
    cause: 'The mode of the file lets every user of this machine read or change the private key.',
    remedy: 'Run the command in the evidence (Kubernetes: `defaultMode: 0440`); replace the key.',
  },
  'key.not-rsa': {
    title: 'The private key is not an RSA key',
    cause: 'The service verifies RS256, which needs an RSA key.',
    remedy: 'Use the key pair that the console generated for the application.',
  },
  'key.too-short': {
    title: 'The private key is too short',
    cause: 'RS256 needs an RSA key of at least 2048 bits.',
    remedy: 'Generate a new key pair in the console and use its private key.',
  },
  'key.sign-failed': {
    title: 'The JWT could not be signed',
    cause:
      'The callback that signs in place of a private key failed or returned no RS256 signature.',
    remedy: 'Check access to the key store, and that it signs with RSASSA-PKCS1-v1_5 and SHA-256.',
    isRetryable: true,
    isOfTime: true,
  },
  'key.other-id': {
    title: 'The key ID may belong to another key',
    cause:
      'The key ID has the form of a fingerprint, and is none of this key in a common form (SHA-256, SHA-1 or MD5 of SPKI, PKCS#1, OpenSSH or JWK).',
    remedy:
      'Compare it with the application’s edit page, and use the private key that belongs to it; if the page shows just this one for the key, ignore the warning.',
    exit: EXIT.strictWarning,
  },
  'key.group-readable': {
    title: 'A group can read the private key',
    cause: 'The mode of the file lets a group read the private key, and the file is not root’s.',
    remedy: 'Run the command in the evidence, unless the group is meant to read it.',
    exit: EXIT.strictWarning,
  },
});
