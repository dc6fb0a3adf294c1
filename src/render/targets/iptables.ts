import type { AccessModel } from '../../access/access-model.js';
import { PROTOCOLS } from '../../access/access-rule.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import {
  cidrOpenings,
  DIRECTIONS,
  isAllPorts,
  type Opening,
  onlySubject,
  portText,
} from '../model.js';
import { type AddressSet, header, sectionsTarget, shortHash, toSets } from '../sections.js';

/** The default limit of a set in `ipset`; a set that exists cannot be given another one. */
const MAX_ELEMENTS = 65_536;

/**
 * A shell script: each set is filled beside the one in use and swapped with it, so that no packet meets
 * a half-filled one; then the chains are replaced in one transaction a family.
 */
export const iptables = sectionsTarget({ name: 'iptables', render, elements, readService });

function render(model: AccessModel): string {
  const openings = cidrOpenings(model, 'iptables');
  const subject = onlySubject(openings, 'iptables');
  // Names of sets end at 31 characters and those of chains at 28.
  const id = shortHash(JSON.stringify([model.stack, subject])).slice(0, 6);
  const sets = openings.flatMap((opening) =>
    toSets(opening, ({ direction, protocol, ports }, family) =>
      [`sc${id}`, direction[0], `${protocol[0]}${portText(protocol, ports)}`, family].join('-'),
    ),
  );
  sets.forEach(requireHoldable);
  return [
    '#!/bin/sh',
    ...header('iptables', model, subject),
    'set -eu',
    "ipset restore <<'END'",
    ...sets.flatMap(replaceSet),
    'END',
    ...([4, 6] as const).flatMap((family) => [
      `${family === 4 ? 'iptables' : 'ip6tables'}-restore --noflush <<'END'`,
      '*filter',
      ...DIRECTIONS.map((direction) => `:${chainName(id, direction)} - [0:0]`),
      ...DIRECTIONS.flatMap((direction) => [
        ...sets
          .filter((set) => set.family === family && set.direction === direction)
          .map((set) => `-A ${chainName(id, direction)} ${match(set)} -j ACCEPT`),
        `-A ${chainName(id, direction)} -j DROP`,
      ]),
      'COMMIT',
      'END',
    ]),
    '',
  ].join('\n');
}

function requireHoldable({ cidrs }: AddressSet): void {
  if (cidrs.some(({ prefix }) => prefix === 0)) {
    throw unsupported('a set cannot hold the network of all addresses', cidrs[0]?.text ?? '');
  }
  if (cidrs.length > MAX_ELEMENTS) {
    throw unsupported(`a set holds at most ${MAX_ELEMENTS} networks`, String(cidrs.length));
  }
}

function replaceSet({ name, family, cidrs }: AddressSet): string[] {
  const type = `hash:net family ${family === 4 ? 'inet' : 'inet6'} maxelem ${MAX_ELEMENTS}`;
  return [
    `create ${name} ${type} -exist`,
    `create ${name}-new ${type} -exist`,
    `flush ${name}-new`,
    ...cidrs.map(({ text }) => `add ${name}-new ${text}`),
    `swap ${name}-new ${name}`,
    `destroy ${name}-new`,
  ];
}

function match({ name, family, direction, protocol, ports }: AddressSet): string {
  const peer = `-m set --match-set ${name} ${direction === 'egress' ? 'dst' : 'src'}`;
  if (protocol === 'any') return peer;
  if (protocol === 'icmp') return `-p ${family === 4 ? 'icmp' : 'ipv6-icmp'} ${peer}`;
  const port = isAllPorts(ports)
    ? ''
    : ` -m ${protocol} --dport ${portText(protocol, ports).replace('-', ':')}`;
  return `-p ${protocol} ${peer}${port}`;
}

function chainName(id: string, direction: Opening['direction']): string {
  return `SC${id}-${direction}`;
}

function elements(text: string): { set: string; cidr: string }[] {
  return [...text.matchAll(/^add (\S+)-new (\S+)$/gm)].map(([, set = '', cidr = '']) => ({
    set,
    cidr,
  }));
}

/** Names of sets have the first letters of direction and protocol. */
function readService(set: string) {
  const [, direction, protocol, ...ports] =
    /^sc\w{6}-([ei])-([tuia])(?:(\d+)(?:-(\d+))?)?-[46]$/.exec(set) ?? [];
  if (direction === undefined || protocol === undefined) return undefined;
  return [
    DIRECTIONS.find((name) => name.startsWith(direction)),
    PROTOCOLS.find((name) => name.startsWith(protocol)),
    ...ports,
  ];
}

function unsupported(rule: string, got: string): ConnectivityError {
  return new ConnectivityError('render.unsupported', `\`iptables\`: ${rule}, got: ${got}`);
}
