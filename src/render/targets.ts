import type { Target } from './target.js';

interface TargetEntry {
  readonly name: string;
  /** For people, in a list of targets. */
  readonly about: string;
  readonly load: () => Promise<Target>;
}

/** Every form in which rules can be rendered for what Terraform does not manage; one is loaded when it is used. */
export const TARGETS: readonly TargetEntry[] = [
  {
    name: 'nftables',
    about: 'one file for nft -f: interval sets and a chain for each direction',
    load: async () => (await import('./nftables.js')).nftables,
  },
  {
    name: 'iptables',
    about: 'a script for ipset restore, iptables-restore and ip6tables-restore',
    load: async () => (await import('./iptables.js')).iptables,
  },
  {
    name: 'palo-alto',
    about: 'an external dynamic list of IP addresses, as PAN-OS fetches it',
    load: async () => (await import('./palo-alto.js')).paloAlto,
  },
  {
    name: 'fortigate',
    about: 'an external IP address feed, as FortiOS fetches it',
    load: async () => (await import('./fortigate.js')).fortigate,
  },
  {
    name: 'kubernetes',
    about: 'a NetworkPolicy for each subject, in YAML',
    load: async () => (await import('./kubernetes.js')).kubernetes,
  },
  {
    name: 'cilium',
    about: 'a CiliumNetworkPolicy with CIDR rules for each subject, in YAML',
    load: async () => (await import('./cilium.js')).cilium,
  },
  {
    name: 'json',
    about: 'the rules in the form of access.json, for programs of one’s own',
    load: async () => (await import('./json.js')).json,
  },
  {
    name: 'csv',
    about: 'one rule a row, for spreadsheets',
    load: async () => (await import('./csv.js')).csv,
  },
];
