import { codesWithExit, EXIT } from '../code-facts.js';

/** What is wrong with the values of the token call, the private key first of all, found before any packet is sent. */
export const PREFLIGHT_CODES = codesWithExit(EXIT.preflight, {
  'credentials.missing': {
    title: 'Credentials are missing',
    cause: 'The token call needs an enterprise ID, an application ID, a key ID and a private key.',
    remedy:
      'Set what the evidence names, with its flag or its SECURE_CONNECTIVITY_ variable, or check only the network with --no-auth.',
  },
  'credentials.misplaced': {
    title: 'A secret is in the wrong place',
    cause:
      'A setting that is sent as an identifier or shown in reports contains a private key, a JWT or an access token; usually two variables were mixed up.',
    remedy:
      'Put the text of the key into SECURE_CONNECTIVITY_PRIVATE_KEY, or pass the path of its file with --private-key-file; nothing was sent or shown.',
  },
  'preflight.audience': {
    title: 'The audience of the JWT is wrong',
    cause:
      'The `aud` claim must be the API host of the service; an address, a URL or the private domain is wrong, whichever host the calls go to.',
    remedy: 'Set the API host to the host name of the public API base URL, without scheme or port.',
  },
  'preflight.outside': {
    title: 'This machine cannot call the service through the endpoint',
    cause:
      'None of the addresses of this machine is in a network that may call the endpoint, so the check would fail after everything has been created.',
    remedy:
      'Deploy from inside the network, or run the check there with `check.runVia`; if the network sees this machine under another address, give it in SECURE_CONNECTIVITY_OWN_ADDRESS (--own-address); or set the mode of the check to report or off.',
  },
  'preflight.invalid': {
    title: 'A value of the check is not valid',
    cause: 'A value that the token call needs breaks a rule of the service.',
    remedy: 'Correct what the evidence names.',
  },
  'preflight.personal-id': {
    title: 'A device field looks like a phone number',
    cause: 'Usage is recorded and billed under the ID, which should not identify a person.',
    remedy: 'Use an ID of your own that does not identify a person.',
    exit: EXIT.strictWarning,
  },
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
      'Check the path and its owner; the first line must be `-----BEGIN PRIVATE KEY-----` or `-----BEGIN RSA PRIVATE KEY-----`.',
  },
  'key.permissions': {
    title: 'Others can read the private key',
    cause: 'The mode of the file lets every user of this machine read or change the private key.',
    remedy: 'Run the chmod in the evidence; if others may have read the key, replace the key pair.',
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
  },
  'key.group-readable': {
    title: 'A group can read the private key',
    cause: 'The mode of the file lets the group of the file read the private key.',
    remedy: 'Run `chmod 600` on the file unless the group is meant to read it.',
    exit: EXIT.strictWarning,
  },
});
