import { asNegation, type FlagRow, readFamily, withoutCredentials } from './row.js';

/** Flags for the way to the service, and for what is tried when it fails. */
export const NETWORK_FLAGS = {
  dnsServer: {
    flag: '--dns-server <ip[:port]>',
    about: 'use this DNS server instead of the system’s',
    variable: 'DNS_SERVER',
    option: 'dnsServer',
    shownInReport: true,
  },
  connectTo: {
    flag: '--connect-to <rule>',
    about: 'dial elsewhere: FROM:PORT:ADDRESS:PORT, or @FILE with one rule per line; repeatable',
    variable: 'CONNECT_TO',
    isRepeatable: true,
    option: 'connectTo',
    shownInReport: true,
    file: 'listed',
  },
  resolve: {
    flag: '--resolve <rule>',
    about:
      'addresses of a host, without DNS: HOST:PORT:ADDRESS, more addresses after commas; repeatable',
    variable: 'RESOLVE',
    isRepeatable: true,
    option: 'resolve',
    shownInReport: true,
  },
  family: {
    flag: '--family <4|6>',
    about: 'resolve and dial only addresses of this family',
    variable: 'FAMILY',
    read: readFamily,
    option: 'family',
    shownInReport: true,
  },
  proxy: {
    flag: '--proxy <url>',
    about: 'go through this HTTP proxy (HTTPS_PROXY is shown, but not used)',
    variable: 'PROXY',
    option: 'proxy',
    repeat: withoutCredentials,
  },
  caFile: {
    flag: '--ca-file <file>',
    about: 'PEM file of certificate authorities to trust in addition to the default ones',
    variable: 'CA_FILE',
    option: 'caFile',
    shownInReport: true,
    file: 'named',
  },
  compareResolver: {
    flag: '--compare-resolver <ip[:port]>',
    about: 'when a link fails, also query this DNS server, or `system`; repeatable',
    variable: 'COMPARE_RESOLVER',
    isRepeatable: true,
    option: 'compareResolvers',
    shownInReport: true,
  },
  ownAddress: {
    flag: '--own-address <ip>',
    about:
      'an address that the private network sees for this machine but no interface has, as behind NAT; repeatable',
    variable: 'OWN_ADDRESS',
    isRepeatable: true,
    option: 'ownAddresses',
    shownInReport: true,
    file: 'listed',
  },
  probes: {
    flag: '--no-probes',
    about: 'when a link fails, do not probe for the cause',
    option: 'probes',
    repeat: asNegation,
  },
} as const satisfies Readonly<Record<string, FlagRow>>;
