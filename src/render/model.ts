import { createHash } from 'node:crypto';
import { type AccessModel, compareText } from '../access/access-model.js';
import { type AccessRule, peerCidrs } from '../access/access-rule.js';
import { type ConnectivityError, usageError } from '../codes/connectivity-error.js';
import { groupBy } from '../lists/group-by.js';
import type { Cidr } from '../net/cidr.js';
import { irredundant } from '../net/cidr-set.js';

/** The fields of an access rule that decide about packets. */
export type Opening = Pick<AccessRule, 'subject' | 'direction' | 'protocol' | 'ports' | 'peer'>;

/** Openings that differ in their addresses only. */
export interface CidrOpening extends Omit<Opening, 'peer'> {
  /** In the order of their numbers, none inside another. */
  readonly cidrs: readonly Cidr[];
}

/** The directions in the order in which files state them. */
export const DIRECTIONS = ['egress', 'ingress'] as const;

const ALL_PORTS = { first: 0, last: 65535 } as const;

/**
 * The rules of a model by what they open, for forms that know addresses only.
 *
 * @throws ConnectivityError `usage.invalid` for a peer that is not a CIDR, and for no rules
 */
export function cidrOpenings(model: AccessModel, target: string): CidrOpening[] {
  const other = model.rules.find(({ peer }) => peer.kind !== 'cidr');
  if (other !== undefined) {
    const got = JSON.stringify(other.peer);
    const remedy = 'leave such rules out with --rules peer=cidr';
    throw unsupported(target, `knows peers by address only, got: ${got}; ${remedy}`);
  }
  const groups = groupBy(model.rules.map(toOpening), serviceKey);
  if (groups.size === 0) {
    const rule = 'needs at least one rule, got: none; an empty allow-list closes everything';
    throw unsupported(target, rule);
  }
  return [...groups.values()]
    .map((group) => {
      const { peer: _, ...service } = group[0];
      return { ...service, cidrs: irredundant(peerCidrs(group)) };
    })
    .sort(compareServices);
}

/** Makes the opening of a rule; a protocol without ports is open as a whole, whatever numbers the rule has. */
export function toOpening({ subject, direction, protocol, ports, peer }: Opening): Opening {
  const hasPorts = protocol === 'tcp' || protocol === 'udp';
  return {
    subject,
    direction,
    protocol,
    ports: hasPorts ? { first: ports.first, last: ports.last } : ALL_PORTS,
    peer,
  };
}

/** The one subject of a form that holds one only. @throws ConnectivityError `usage.invalid` */
export function onlySubject(openings: readonly CidrOpening[], target: string): string {
  const subjects = [...new Set(openings.map(({ subject }) => subject))];
  const [subject] = subjects;
  if (subject !== undefined && subjects.length === 1) return subject;
  throw unsupported(
    target,
    `holds the rules of one subject, got: ${subjects.join(', ')}; choose with --rules subject=NAME`,
  );
}

/** Writes a service for people: `egress tcp 443`. */
export function serviceText({ direction, protocol, ports }: Partial<Opening>): string {
  return [direction, protocol, protocol && portText(protocol, ports)].filter(Boolean).join(' ');
}

/** `443`, `1-99`, or nothing where every port is meant. */
export function portText(protocol: Opening['protocol'], ports = ALL_PORTS as Opening['ports']) {
  if (protocol === 'any' || protocol === 'icmp' || isAllPorts(ports)) return '';
  return ports.first === ports.last ? String(ports.first) : `${ports.first}-${ports.last}`;
}

export function isAllPorts({ first, last }: Opening['ports']): boolean {
  return first === ALL_PORTS.first && last === ALL_PORTS.last;
}

/** The same for openings that differ in their peer only. */
export function serviceKey({ subject, direction, protocol, ports }: Partial<Opening>): string {
  return JSON.stringify([subject, direction, protocol, ports?.first, ports?.last]);
}

function compareServices(a: CidrOpening, b: CidrOpening): number {
  return (
    compareText(a.subject, b.subject) ||
    compareText(a.direction, b.direction) ||
    compareText(a.protocol, b.protocol) ||
    a.ports.first - b.ports.first ||
    a.ports.last - b.ports.last
  );
}

/** One form in which access rules leave this package. */
export interface Target {
  /** True if it shows the rules as they are, rather than what a firewall must let through. */
  readonly showsRules?: true;
  /** @throws ConnectivityError `usage.invalid` for a rule that the form cannot say exactly */
  readonly render: (model: AccessModel) => string;
}

/**
 * The one opening of a list: what the list is for is in the firewall's own rule, so that a list
 * of several services would open each address for all of them.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function onlyOpening(model: AccessModel, target: string): CidrOpening {
  const openings = cidrOpenings(model, target);
  const [only] = openings;
  if (only !== undefined && openings.length === 1) return only;
  const all = openings.map((opening) => `${opening.subject} ${serviceText(opening)}`).join('; ');
  throw unsupported(
    target,
    `holds the addresses of one subject, direction, protocol and port, got: ${all}; choose with --rules subject=NAME,direction=egress,port=443`,
  );
}

/** The error for rules that a form cannot say. */
export function unsupported(target: string, rule: string): ConnectivityError {
  return usageError(`\`${target}\` ${rule}`);
}

const MAX_LENGTH = 40;

/**
 * A name of lower-case letters, digits and single hyphens. A text that is such a name stays as it is;
 * any other gets a hash, so that two texts never share a name.
 */
export function slug(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  if (plain === text && text.length <= MAX_LENGTH && text !== '') return text;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
  const stem = plain.slice(0, MAX_LENGTH - 9).replace(/-$/, '');
  return [stem, hash].filter(Boolean).join('-');
}
