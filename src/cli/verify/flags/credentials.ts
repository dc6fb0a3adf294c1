import { KEY_VARIABLE } from '../../../terraform/environment.js';
import { asNegation, type FlagRow, readWholeNumber } from './row.js';

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
    about: `PEM file of the private key, - for standard input; or its text in ${KEY_VARIABLE}`,
    variable: 'PRIVATE_KEY_FILE',
    option: 'credentials.privateKeyFile',
    shownInReport: true,
    file: 'named',
  },
  durationSeconds: {
    flag: '--duration-seconds <n>',
    about: 'requested lifetime of the token, 1 to 86399',
    variable: 'DURATION_SECONDS',
    read: readWholeNumber,
    option: 'credentials.durationSeconds',
  },
  sessionName: {
    flag: '--session-name <name>',
    about: 'session of the token, preferably the ID of the user: it keeps the chats of users apart',
    variable: 'SESSION_NAME',
    option: 'credentials.sessionName',
  },
  deviceId: {
    flag: '--device-id <id>',
    about: 'device to which usage of the token is attributed; enterprise flagship only',
    variable: 'DEVICE_ID',
    option: 'credentials.deviceId',
  },
  customConsumer: {
    flag: '--custom-consumer <id>',
    about:
      'an entity of your own to which usage is attributed, not a phone number; enterprise flagship only',
    variable: 'CUSTOM_CONSUMER',
    option: 'credentials.customConsumer',
  },
  auth: {
    flag: '--no-auth',
    about: 'check only the network: no credentials are used',
    option: 'auth',
    repeat: asNegation,
  },
} as const satisfies Readonly<Record<string, FlagRow>>;
