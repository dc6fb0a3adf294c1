import type { AccessModel } from '../../access/access-model.js';
import type { Cidr } from '../../net/cidr.js';
import {
  type CidrOpening,
  cidrOpenings,
  DIRECTIONS,
  isAllPorts,
  type Opening,
  onlySubject,
  portText,
  slug,
  type Target,
} from '../model.js';

const FAMILIES = { 4: 'ipv4', 6: 'ipv6' } as const;

/**
 * One table with a chain for each direction, which decides about every packet that is sent to it. The
 * file replaces the content of chains and sets in one transaction and leaves other chains of the table
 * alone, so the operator's own base chain, which sends packets here, stays.
 */
export const nftables: Target = { name: 'nftables', render };

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
