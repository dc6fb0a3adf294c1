import { VIAS } from '../../../link/via.js';
import {
  type FlagRow,
  readCount,
  readNetwork,
  readShard,
  readZone,
  VARIABLE_PREFIX,
} from './row.js';

/** Flags that choose links, and state what is expected of a link given by hand. */
export const LINK_FLAGS = {
  outputsFile: {
    flag: '--outputs-file <file>',
    about: 'check the links in a file of `deploy --outputs-file`; repeatable',
    isRepeatable: true,
    repeat: 'never',
  },
  stack: {
    flag: '--stack <name>',
    about: 'check the links of a deployed stack, by name or folder; repeatable',
    isRepeatable: true,
    repeat: 'never',
  },
  linksFromEnvironment: {
    flag: '--links-from-environment',
    about: `check the links in ${VARIABLE_PREFIX}LINKS`,
    repeat: 'never',
  },
  targets: {
    flag: '--targets <file>',
    about:
      'check the links in a file with one JSON object per line, - for standard input; writes JSON lines',
    repeat: 'never',
  },
  concurrency: {
    flag: '--concurrency <n>',
    about: 'links checked at the same time (default: 8; with --targets 16)',
    variable: 'CONCURRENCY',
    read: readCount,
    option: 'concurrency',
    repeat: 'never',
  },
  shard: {
    flag: '--shard <i/n>',
    about: 'check only shard i (starting at 1) of n shards of the links',
    variable: 'SHARD',
    read: readShard,
    repeat: 'never',
  },
  baseUrl: {
    flag: '--base-url <url>',
    about: 'check a single link: scheme, host and port to call',
    repeat: (_, link) => link.baseUrl,
  },
  via: {
    flag: '--via <kind>',
    about: 'how that link reaches the service',
    choices: VIAS,
    repeat: (_, link) => link.via,
  },
  apiHost: {
    flag: '--api-host <host>',
    about: 'the public API host of the service: the audience of the JWT',
    repeat: (_, link) => link.apiHost,
  },
  expectAddress: {
    flag: '--expect-address <cidr>',
    about:
      'addresses that the host may resolve to (default: with --via fixed-ip-egress, those that the service publishes); repeatable',
    read: readNetwork,
    isRepeatable: true,
    repeat: (_, link) => link.expectedAddresses,
  },
  expectNetwork: {
    flag: '--expect-network <cidr>',
    about: 'networks that must contain the addresses; repeatable',
    read: readNetwork,
    isRepeatable: true,
    repeat: (_, link) => link.expectedNetworks,
  },
  zone: {
    flag: '--zone <name=cidr>',
    about: 'the zone that a network of that link belongs to, for reports; repeatable',
    read: readZone,
    isRepeatable: true,
    repeat: (_, { zones = [] }) => zones.map(({ name, network }) => `${name}=${network}`),
  },
  privateZone: {
    flag: '--private-zone',
    about: 'call the API host itself, which resolves inside the private network',
    repeat: (_, link) => link.privateZone,
  },
  tlsServerName: {
    flag: '--tls-server-name <name>',
    about:
      'the TLS server name to send and verify (default: the link’s own, or the host of the base URL)',
    variable: 'TLS_SERVER_NAME',
    option: 'tlsServerName',
    shownInReport: true,
    repeat: (typed, link, given) => typed ?? (given === undefined ? link.tlsServerName : undefined),
  },
  allowPlainHttp: {
    flag: '--allow-plain-http',
    about: 'allow a base URL with http, inside the expected private networks',
    repeat: (_, link) => link.baseUrl.startsWith('http:'),
  },
} as const satisfies Readonly<Record<string, FlagRow>>;
