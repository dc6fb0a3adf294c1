import { FLAGS, type Flags } from '../verify/flags/table.js';

/** The flags of `token`: those of `verify` that say who asks and how the service is reached. */
export const TOKEN_FLAGS = {
  baseUrl: {
    ...FLAGS.baseUrl,
    about: 'scheme, host and port to call',
    variable: 'BASE_URL',
  },
  apiHost: { ...FLAGS.apiHost, variable: 'API_HOST' },
  tlsServerName: {
    ...FLAGS.tlsServerName,
    about: 'the TLS server name to send and verify (default: the host of the base URL)',
  },
  allowPlainHttp: {
    ...FLAGS.allowPlainHttp,
    about: 'allow a base URL with http, to private addresses only',
  },
  enterpriseId: FLAGS.enterpriseId,
  appId: FLAGS.appId,
  keyId: FLAGS.keyId,
  privateKeyFile: FLAGS.privateKeyFile,
  durationSeconds: FLAGS.durationSeconds,
  sessionName: FLAGS.sessionName,
  deviceId: FLAGS.deviceId,
  customConsumer: FLAGS.customConsumer,
  dnsServer: FLAGS.dnsServer,
  connectTo: FLAGS.connectTo,
  caFile: FLAGS.caFile,
  timeout: { ...FLAGS.timeout, about: 'time for the whole command (default: 30s)' },
};

export type TokenFlags = Pick<Flags, keyof typeof TOKEN_FLAGS>;
