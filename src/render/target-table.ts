/**
 * The forms in which access rules are rendered for what Terraform does not manage. A target is in a file of `targets/` and a row here:
 * `render` makes the whole text, the same for the same rules. What targets share is in `model.ts`. A target is loaded when it is used.
 */
export const TARGETS = [
  {
    name: 'nftables',
    about: 'one file for nft -f: interval sets and a chain for each direction',
    load: async () => (await import('./targets/nftables.js')).nftables,
  },
  {
    name: 'palo-alto',
    about: 'an external dynamic list of IP addresses, as PAN-OS fetches it',
    load: async () => (await import('./targets/text-files.js')).paloAlto,
  },
  {
    name: 'fortigate',
    about: 'an external IP address feed, as FortiOS fetches it',
    load: async () => (await import('./targets/text-files.js')).fortigate,
  },
  {
    name: 'kubernetes',
    about: 'a NetworkPolicy for each subject, in YAML',
    load: async () => (await import('./targets/network-policies.js')).kubernetes,
  },
  {
    name: 'json',
    about: 'the rules in the form of access.json, for your own programs',
    load: async () => (await import('./targets/text-files.js')).json,
  },
  {
    name: 'csv',
    about: 'one rule a row, for spreadsheets',
    load: async () => (await import('./targets/text-files.js')).csv,
  },
];
