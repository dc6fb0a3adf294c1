import type { FlagRow } from '../verify/flags/row.js';
import { FLAGS, type Flags } from '../verify/flags/table.js';
import { neverRepeated, readDuration } from '../verify/flags/values.js';
import { type ListenAddress, readListenAddress } from './listen-address.js';

const { outputsFile, stack, linksFromEnvironment, targets, concurrency, baseUrl, via } = FLAGS;
const { apiHost, expectAddress, expectNetwork, zone, privateZone, tlsServerName } = FLAGS;
const { enterpriseId, appId, keyId, privateKeyFile, durationSeconds, sessionName } = FLAGS;
const { dnsServer, connectTo, resolve, family, proxy, caFile, timeout } = FLAGS;

/** The flags of `exporter` that are also those of `verify`, and its own. */
export const EXPORTER_FLAGS = {
  listen: {
    flag: '--listen <address:port>',
    about: 'where Prometheus scrapes (default: 127.0.0.1:9464); port 0 takes a free one',
    variable: 'LISTEN',
    read: readListenAddress,
    repeat: neverRepeated,
  },
  outputsFile,
  stack,
  linksFromEnvironment,
  targets: { ...targets, about: 'check the links in a file with one JSON object per line' },
  concurrency: { ...concurrency, about: 'links checked at the same time (default: 16)' },
  baseUrl: { ...baseUrl, about: 'check a single link, named `link`: scheme, host and port' },
  via,
  apiHost,
  expectAddress,
  expectNetwork,
  zone,
  privateZone,
  tlsServerName,
  allowPlainHttp: FLAGS.allowPlainHttp,
  enterpriseId,
  appId,
  keyId,
  privateKeyFile: {
    ...privateKeyFile,
    about:
      'PEM file of the private key, read again for each check; or its text in SECURE_CONNECTIVITY_PRIVATE_KEY',
  },
  durationSeconds,
  sessionName,
  deviceId: FLAGS.deviceId,
  customConsumer: FLAGS.customConsumer,
  auth: FLAGS.auth,
  useServerTime: FLAGS.useServerTime,
  dnsServer,
  connectTo,
  resolve,
  family,
  proxy,
  caFile,
  timeout: {
    ...timeout,
    about: 'time limit for one check (default: 60s), shortened by the scrape timeout of Prometheus',
  },
  timeoutOffset: {
    flag: '--timeout-offset <duration>',
    about: 'how much earlier than the scrape timeout a check ends (default: 500ms)',
    variable: 'TIMEOUT_OFFSET',
    read: readDuration,
    repeat: neverRepeated,
  },
} as const satisfies Readonly<Record<string, FlagRow>>;

export type ExporterFlags = Flags & {
  readonly listen?: ListenAddress;
  /** Milliseconds. */
  readonly timeoutOffset?: number;
};
