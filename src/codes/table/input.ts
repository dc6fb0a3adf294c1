import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Codes for invalid input to a command, a construct or a file. */
export const INPUT_CODES = codesWithExit(EXIT.usage, {
  'usage.invalid': {
    title: 'Wrong usage',
    cause: 'An argument, a setting, a file or a combination of them is not valid.',
    remedy:
      'Correct each flag, field, file or property that the message names. Pass what a tool wrote (outputs, `access.json`, a tree of `synth`, a plan of it) unchanged, from the same version of this package.',
    seen: {
      audience: {
        title: 'The audience of the JWT is wrong',
        cause:
          'The `aud` claim must be the API host of the service; an address, a URL, the private domain or the host of the fixed-IP base URL is wrong, whichever host the calls go to.',
        remedy:
          'Set the API host to the host name of the public API base URL, without scheme or port.',
      },
    },
  },
  'link.host-not-vouched': {
    title: 'The host is not vouched for by the tree',
    cause:
      'The tree beside the outputs has no such stack, is another one than was deployed, or leaves the host to the deploy, and the state could not be read: nothing but the file of outputs says that the host is the right one.',
    remedy:
      'Run the check where Terraform can read the state, with --stack, or pass the outputs on a way that nobody else can write to.',
  },
  'credentials.missing': {
    title: 'Credentials are missing',
    cause:
      'The token call needs an enterprise ID, an application ID, a key ID and a private key; or a setting that is sent or shown contains a private or public key, a JWT or an access token in place of what belongs there.',
    remedy:
      'Set what the evidence names, with its flag or its SECURE_CONNECTIVITY_ variable, or check only the network with --no-auth. The text of the private key belongs into SECURE_CONNECTIVITY_PRIVATE_KEY, the path of its file behind --private-key-file: two that were mixed up are refused, and nothing was sent or shown. The key ID is the fingerprint that the application’s edit page shows.',
  },
  'key.unusable': {
    title: 'The private key cannot be used',
    cause:
      'There is no file at the path, it cannot be opened, it is not an unencrypted PEM private key (PKCS#8 or PKCS#1), the key is not RSA, as RS256 needs, or has fewer than 2048 bits; the message says which.',
    remedy:
      'Give what the message asks for: of a key that the console generated for the application, the first line is `-----BEGIN PRIVATE KEY-----` or `-----BEGIN RSA PRIVATE KEY-----`. Replace a key pair that is too short.',
    seen: {
      'no signature': {
        title: 'The JWT could not be signed',
        cause:
          'The callback that signs in place of a private key failed or returned no RS256 signature.',
        remedy:
          'Check access to the key store, and that it signs with RSASSA-PKCS1-v1_5 and SHA-256.',
        isRetryable: true,
        isOfTime: true,
      },
    },
  },
  'key.permissions': {
    title: 'Others can read the private key',
    cause: 'The mode of the file lets every user of this machine read or change the private key.',
    remedy: 'Run the command in the evidence (Kubernetes: `defaultMode: 0440`); replace the key.',
    seen: {
      group: {
        title: 'A group can read the private key',
        cause:
          'The mode of the file lets a group read the private key, and the file is not root’s.',
        remedy: 'Run the command in the evidence, unless the group is meant to read it.',
      },
    },
  },
});
