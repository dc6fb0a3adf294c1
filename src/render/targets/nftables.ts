import type { AccessModel } from '../../access/access-model.js';
import { parseCidr } from '../../net/cidr.js';
import {
  cidrOpenings,
  DIRECTIONS,
  isAllPorts,
  type Opening,
  onlySubject,
  portText,
} from '../model.js';
import { type AddressSet, header, sectionsTarget, slug, toSets } from '../sections.js';

const FAMILIES = { 4: 'ipv4', 6: 'ipv6' } as const;

/**
 * One table with a chain for each direction, which decides about every packet that is sent to it. The
 * file replaces the content of chains and sets in one transaction and leaves other chains of the table
 * alone, so the operator's own base chain, which sends packets here, stays.
 */
export const nftables = sectionsTarget({ name: 'nftables', render, elements, readService });

function render(model: AccessModel): string {
  const openings = cidrOpenings(model, 'nftables');
  const subject = onlySubject(openings, 'nftables');
  const table = `secure-connectivity.${slug(model.stack)}.${slug(subject)}`;
  const sets = openings.flatMap((opening) =>
    toSets(opening, ({ direction, protocol, ports }, family) =>
      [direction, protocol, portText(protocol, ports), FAMILIES[family]].filter(Boolean).join('-'),
    ),
  );
  return [
    ...header('nftables', model, subject),
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

/** The addresses of a file with the name of the set that each is in. */
function elements(text: string): { set: string; cidr: string }[] {
  const blocks = text.matchAll(/^add element inet \S+ (\S+) \{\n((?: {2}\S+,\n)*)\}$/gm);
  return [...blocks].flatMap(([, set = '', lines = '']) =>
    [...lines.matchAll(/^ {2}(\S+),$/gm)].map(([, cidr = '']) => ({
      set,
      cidr: parseCidr(cidr).text,
    })),
  );
}

function readService(set: string) {
  return /^(egress|ingress)-(tcp|udp|icmp|any)(?:-(\d+)(?:-(\d+))?)?-ipv[46]$/.exec(set)?.slice(1);
}
