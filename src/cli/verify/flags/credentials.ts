import { KEY_VARIABLE } from '../../../terraform/program.js';
import { asNegation, type FlagRow } from './row.js';

/** Flags for the identity that calls the service. */
export const CREDENTIAL_FLAGS = {
  enterpriseId: {
    flag: '--enterprise-id <id>',
    about: 'ID of the enterprise',
    variable: 'ENTERPRISE_ID',
    option: 'credentials.enterpriseId',
    shownInReport: true,
  },
  appId: {
    flag: '--app-id <id>',
    about: 'ID of the OAuth application (iss)',
    variable: 'APP_ID',
    option: 'credentials.appId',
    shownInReport: true,
  },
  keyId: {
    flag: '--key-id <fingerprint>',
    about: 'fingerprint of the public key (kid)',
    variable: 'KEY_ID',
    option: 'credentials.keyId',
    shownInReport: true,
  },
  privateKeyFile: {
    flag: '--private-key-file <file>',
    about: `PEM file of the private key, - for standard input (or its text in ${KEY_VARIABLE})`,
    variable: 'PRIVATE_KEY_FILE',
    option: 'credentials.privateKeyFile',
    shownInReport: true,
    file: 'named',
  },
  auth: {
    flag: '--no-auth',
    about: 'only the network: no credentials are used',
    option: 'auth',
    repeat: asNegation,
  },
} as const satisfies Readonly<Record<string, FlagRow>>;
