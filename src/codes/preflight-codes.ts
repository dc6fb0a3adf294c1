import { type CodeFacts, EXIT } from './code-facts.js';

/** What is found before any packet is sent, and what ends a run from outside. */
export const PREFLIGHT_CODES = {
  'credentials.missing': {
    title: 'Credentials are missing',
    cause: 'The token call needs enterprise ID, application ID, key ID and private key.',
    remedy:
      'Set what the evidence names, by its flag or its SECURE_CONNECTIVITY_ variable, or check the network alone with --no-auth.',
    kind: 'final',
    exit: EXIT.preflight,
  },
  'credentials.misplaced': {
    title: 'A secret is in the wrong place',
    cause:
      'A setting that is sent as an identifier or shown in reports holds a private key, a JWT or an access token: mostly a variable and its neighbour were mixed up.',
    remedy:
      'Give the text of the key in SECURE_CONNECTIVITY_PRIVATE_KEY, or the path of its file with --private-key-file; nothing was sent or shown.',
    kind: 'final',
    exit: EXIT.preflight,
  },
  'key.missing': {
    title: 'The private key file does not exist',
    cause: 'No file is at the path given for the private key.',
    remedy: 'Give the path of the `private_key.pem` that the console let you download once.',
    kind: 'final',
    exit: EXIT.preflight,
  },
  'key.unreadable': {
    title: 'The private key cannot be read',
    cause:
      'The file cannot be opened, or it is not an unencrypted PEM private key in PKCS#8 or PKCS#1.',
    remedy:
      'Check the path and its owner; the first line must be `-----BEGIN PRIVATE KEY-----` or `-----BEGIN RSA PRIVATE KEY-----`.',
    kind: 'final',
    exit: EXIT.preflight,
  },
  'key.permissions': {
    title: 'Others can read the private key',
    cause: 'The mode of the file lets every user of this machine read or change the private key.',
    remedy: 'Run the chmod of the evidence; if others may have read the key, replace the key pair.',
    kind: 'final',
    exit: EXIT.preflight,
  },
  'key.not-rsa': {
    title: 'The private key is not an RSA key',
    cause: 'The service verifies RS256, which needs an RSA key.',
    remedy: 'Use the key pair that the console generated for the application.',
    kind: 'final',
    exit: EXIT.preflight,
  },
  'key.too-short': {
    title: 'The private key is too short',
    cause: 'RS256 needs an RSA key of at least 2048 bits.',
    remedy: 'Generate a new key pair in the console and use its private key.',
    kind: 'final',
    exit: EXIT.preflight,
  },
  'key.sign-failed': {
    title: 'The JWT could not be signed',
    cause: 'The callback that signs in place of a private key failed or gave no RS256 signature.',
    remedy: 'Check the access to the key store, and that it signs RSASSA-PKCS1-v1_5 with SHA-256.',
    kind: 'retryable',
    exit: EXIT.preflight,
  },
  'preflight.audience': {
    title: 'The audience of the JWT is wrong',
    cause:
      'The `aud` claim must be the API host of the service; an address, a URL or the private domain is not it, whatever host the calls go to.',
    remedy: 'Set the API host to the host name of the public API base URL, without scheme or port.',
    kind: 'final',
    exit: EXIT.preflight,
  },
  'preflight.invalid': {
    title: 'A value of the check is not valid',
    cause: 'A value that the token call needs breaks a rule of the service.',
    remedy: 'Correct what the evidence names.',
    kind: 'final',
    exit: EXIT.preflight,
  },
  'preflight.personal-id': {
    title: 'A device field looks like a phone number',
    cause: 'Usage is recorded and billed under the ID, which should name no person.',
    remedy: 'Use an ID of your own that names no person.',
    kind: 'final',
    exit: EXIT.strictWarning,
  },
  'key.group-readable': {
    title: 'A group can read the private key',
    cause: 'The mode of the file lets the group of the file read the private key.',
    remedy: 'Run `chmod 600` on the file unless the group is meant to read it.',
    kind: 'final',
    exit: EXIT.strictWarning,
  },
  'run.deadline': {
    title: 'The time for the run is over',
    cause: 'The run was cut off by its own deadline before this stage ended.',
    remedy: 'Give more time with --timeout, or look at the stages that took long.',
    kind: 'retryable',
    exit: EXIT.deadline,
  },
  'run.too-many-files': {
    title: 'This process may open no more files',
    cause: 'Connections are files too, and the system limits how many a process may have open.',
    remedy:
      'Check fewer links at the same time with --concurrency, or raise the limit (ulimit -n).',
    kind: 'retryable',
    exit: EXIT.deadline,
  },
  'run.interrupted': {
    title: 'The run was interrupted',
    cause: 'The run was stopped from outside before this stage ended.',
    remedy: 'Run the check again.',
    kind: 'final',
    exit: EXIT.interrupted,
  },
} as const satisfies Record<string, CodeFacts>;
