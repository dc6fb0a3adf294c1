import { VIAS } from '../../../link/via.js';
import { type FlagRow, readCount, readNetwork, readShard, VARIABLE_PREFIX } from './row.js';

/** The way through a service endpoint where a private zone resolves the API host itself. */
export const PRIVATE_ZONE = 'private-zone';

/** Flags that choose links, and state what is expected of a link given by hand. */
export const LINK_FLAGS = {
  stack: {
    flag: '--stack <name>',
    about: 'the links of a deployed stack, by name or folder; repeatable',
    isRepeatable: true,
    repeat: 'never',
  },
  outputsFile: {
    flag: '--outputs-file <file>',
    about: 'the links in a file of `deploy --outputs-file`; repeatable',
    isRepeatable: true,
    repeat: 'never',
  },
  linksFromEnvironment: {
    flag: '--links-from-environment',
    about: `the links in ${VARIABLE_PREFIX}LINKS`,
    repeat: 'never',
  },
  targets: {
    flag: '--targets <file>',
    about: 'the links in a file, one JSON object per line; - for standard input',
    repeat: 'never',
  },
  baseUrl: {
    flag: '--base-url <url>',
    about: 'a single link: scheme, host and port to call',
    repeat: (_, link) => link.baseUrl,
  },
  via: {
    flag: '--via <kind>',
    about: 'how that link reaches the service',
    choices: [...VIAS, PRIVATE_ZONE],
    repeat: (_, link) => (link.privateZone ? PRIVATE_ZONE : link.via),
  },
  apiHost: {
    flag: '--api-host <host>',
    about: 'the public API host of the service: the audience of the JWT',
    repeat: (_, link) => link.apiHost,
  },
  expectAddress: {
    flag: '--expect-address <cidr>',
    about: 'an address that its host may resolve to, or a network that must contain it; repeatable',
    read: readNetwork,
    isRepeatable: true,
    repeat: (_, link) => [...link.expectedAddresses, ...link.expectedNetworks],
  },
  tlsServerName: {
    flag: '--tls-server-name <name>',
    about: 'the TLS server name to send and verify, in place of that of the link or its URL',
    variable: 'TLS_SERVER_NAME',
    option: 'tlsServerName',
    shownInReport: true,
    repeat: (typed, link, given) => typed ?? (given === undefined ? link.tlsServerName : undefined),
  },
  allowPlainHttp: {
    flag: '--allow-plain-http',
    about: 'allow http, inside expected private networks',
    repeat: (_, link) => link.baseUrl.startsWith('http:'),
  },
  concurrency: {
    flag: '--concurrency <n>',
    about: 'links at the same time (default: 8; with --targets 16)',
    variable: 'CONCURRENCY',
    read: readCount,
    option: 'concurrency',
    repeat: 'never',
  },
  shard: {
    flag: '--shard <i/n>',
    about: 'only shard i, from 1, of n shards of the links',
    variable: 'SHARD',
    read: readShard,
    repeat: 'never',
  },
} as const satisfies Readonly<Record<string, FlagRow>>;
