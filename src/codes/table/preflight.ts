import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Faults of the values of the token call, found before any packet is sent. */
export const PREFLIGHT_CODES = codesWithExit(EXIT.preflight, {
  'credentials.missing': {
    title: 'Credentials are missing',
    cause: 'The token call needs an enterprise ID, an application ID, a key ID and a private key.',
    remedy:
      'Set what the evidence names, with its flag or its SECURE_CONNECTIVITY_ variable, or check only the network with --no-auth.',
  },
  'credentials.misplaced': {
    title: 'A secret or a key is in the wrong place',
    cause:
      'A setting that is sent as an identifier or shown in reports contains a private or public key, a JWT or an access token; usually two variables were mixed up.',
    remedy:
      'Put the text of the private key into SECURE_CONNECTIVITY_PRIVATE_KEY, or pass the path of its file with --private-key-file; nothing was sent or shown. The key ID is the fingerprint that the application’s edit page shows.',
  },
  'preflight.audience': {
    title: 'The audience of the JWT is wrong',
    cause:
      'The `aud` claim must be the API host of the service; an address, a URL, the private domain or the host of the fixed-IP base URL is wrong, whichever host the calls go to.',
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
    title: 'The custom consumer looks like a phone number',
    cause: 'Usage is recorded and billed under the ID, which should not identify a person.',
    remedy: 'Use an ID of your own that does not identify a person.',
    exit: EXIT.strictWarning,
  },
});
