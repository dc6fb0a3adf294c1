import { type AccessModel, canonicalRules } from '../access/access-model.js';
import type { AccessRule } from '../access/access-rule.js';
import type { Cidr } from '../net/cidr.js';
import {
  type CidrOpening,
  cidrOpenings,
  DIRECTIONS,
  isAllPorts,
  type Opening,
  onlyOpening,
  onlySubject,
  portText,
  serviceText,
  slug,
  type Target,
} from './model.js';

const FAMILIES = { 4: 'ipv4', 6: 'ipv6' } as const;

/**
 * One table with a chain for each direction, which decides about every packet that is sent to it. The
 * file replaces the content of chains and sets in one transaction and leaves other chains of the table
 * alone, so the operator's own base chain, which sends packets here, stays.
 */
export const nftables: Target = { render };

function render(model: AccessModel): string {
  const openings = cidrOpenings(model, 'nftables');
  const subject = onlySubject(openings, 'nftables');
  const table = `secure-connectivity.${slug(model.stack)}.${slug(subject)}`;
  const sets = openings.flatMap(toSets);
  return [
    '# secure-connectivity render nftables: made from access rules, do not edit',
    `# stack: ${model.stack}`,
    `# subject: ${subject}`,
    `# rules digest: ${model.digest}`,
    `table inet ${table} {`,
    ...sets.flatMap(({ name, family }) => [
      `  set ${name} {`,
      `    type ${FAMILIES[family]}_addr`,
      '    flags interval',
      '  }',
    ]),
    ...DIRECTIONS.flatMap((direction) => [`  chain ${direction} {`, '  }']),
    '}',
    ...DIRECTIONS.map((direction) => `flush chain inet ${table} ${direction}`),
    ...sets.map(({ name }) => `flush set inet ${table} ${name}`),
    ...sets.flatMap(({ name, cidrs }) => [
      `add element inet ${table} ${name} {`,
      ...cidrs.map(({ text }) => `  ${text},`),
      '}',
    ]),
    ...DIRECTIONS.flatMap((direction) => [
      ...sets
        .filter((set) => set.direction === direction)
        .map((set) => `add rule inet ${table} ${direction} ${match(set)} accept`),
      `add rule inet ${table} ${direction} drop`,
    ]),
    '',
  ].join('\n');
}

/** Addresses of one family that are open for one service, as a set with a name. */
interface AddressSet extends Omit<Opening, 'peer'> {
  readonly name: string;
  readonly family: 4 | 6;
  readonly cidrs: readonly Cidr[];
}

/** The sets of an opening, one for each family that it has addresses of. */
function toSets({ cidrs, ...service }: CidrOpening): AddressSet[] {
  const { direction, protocol, ports } = service;
  return ([4, 6] as const).flatMap((family) => {
    const own = cidrs.filter((cidr) => cidr.family === family);
    if (own.length === 0) return [];
    const words = [direction, protocol, portText(protocol, ports), FAMILIES[family]];
    return [{ ...service, name: words.filter(Boolean).join('-'), family, cidrs: own }];
  });
}

function match({ name, family, direction, protocol, ports }: AddressSet): string {
  const field = `${family === 4 ? 'ip' : 'ip6'} ${direction === 'egress' ? 'daddr' : 'saddr'}`;
  const service = {
    any: '',
    icmp: ` meta l4proto ${family === 4 ? 'icmp' : 'ipv6-icmp'}`,
    tcp: ` ${portMatch('tcp', ports)}`,
    udp: ` ${portMatch('udp', ports)}`,
  }[protocol];
  return `${field} @${name}${service}`;
}

function portMatch(protocol: 'tcp' | 'udp', ports: Opening['ports']): string {
  return isAllPorts(ports)
    ? `meta l4proto ${protocol}`
    : `${protocol} dport ${portText(protocol, ports)}`;
}

/** The chosen rules in the form of `access.json`, with the digest of all rules. */
export const json: Target = { showsRules: true, render: renderJson };

function renderJson(model: AccessModel): string {
  return `${JSON.stringify({ ...model, rules: canonicalRules(model.rules) }, null, 2)}\n`;
}

const COLUMNS = [
  'via',
  'direction',
  'subject',
  'peer_kind',
  'peer',
  'protocol',
  'first_port',
  'last_port',
  'reason',
  'exception_reason',
  'exception_owner',
  'exception_expires',
] as const;

/** One rule a row, quoted as RFC 4180 says; lines end with a line feed. */
export const csv: Target = { showsRules: true, render: renderCsv };

function renderCsv({ rules }: AccessModel): string {
  const rows = canonicalRules(rules).map(toRow);
  return [COLUMNS, ...rows].map((row) => `${row.map(quoted).join(',')}\n`).join('');
}

function toRow({ via, direction, subject, peer, protocol, ports, reason, exception }: AccessRule) {
  const [kind, name] = [peer.kind, peer[peer.kind as keyof typeof peer]];
  const hasPorts = protocol === 'tcp' || protocol === 'udp';
  const service = [protocol, ...[ports.first, ports.last].map((n) => (hasPorts ? String(n) : ''))];
  const special = [exception?.reason ?? '', exception?.owner ?? '', exception?.expires ?? ''];
  return [via, direction, subject, kind, name, ...service, reason, ...special];
}

function quoted(value: string): string {
  const inert = value.replace(FORMULA, "'$&");
  return /[",\n\r]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** Text that a spreadsheet would calculate; an apostrophe before it makes it text. */
const FORMULA = /^'*[=+\-@＝＋－＠]/;

/** An external dynamic list: a CIDR a line, then a space and a comment. */
export const paloAlto: Target = {
  render: (model: AccessModel) => {
    const { cidrs, ...service } = onlyOpening(model, 'palo-alto');
    const comment = `${serviceText(service)} for ${service.subject}`;
    return cidrs.map(({ text }) => `${text} ${comment}\n`).join('');
  },
};

/** An external address feed: an address or a network a line, and nothing else, not even comments. */
export const fortigate: Target = {
  render: (model: AccessModel) =>
    onlyOpening(model, 'fortigate')
      .cidrs.map(({ first, last, text }) => (first === last ? text.replace(/\/.*/, '') : text))
      .map((line) => `${line}\n`)
      .join(''),
};

/**
 * The forms in which access rules are rendered for what Terraform does not manage. A target has a row here:
 * `render` makes the whole text, the same for the same rules. What targets share is in `model.ts`. One that
 * needs a library has a file, which is loaded when it is used.
 */
export const TARGETS = [
  {
    name: 'nftables',
    about: 'one file for nft -f: interval sets and a chain for each direction',
    load: async () => nftables,
  },
  {
    name: 'palo-alto',
    about: 'an external dynamic list of IP addresses, as PAN-OS fetches it',
    load: async () => paloAlto,
  },
  {
    name: 'fortigate',
    about: 'an external IP address feed, as FortiOS fetches it',
    load: async () => fortigate,
  },
  {
    name: 'kubernetes',
    about: 'a NetworkPolicy for each subject, in YAML',
    load: async () => (await import('./network-policies.js')).kubernetes,
  },
  {
    name: 'json',
    about: 'the rules in the form of access.json, for your own programs',
    load: async () => json,
  },
  {
    name: 'csv',
    about: 'one rule a row, for spreadsheets',
    load: async () => csv,
  },
];
