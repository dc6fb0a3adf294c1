import { type AccessModel, compareText } from '../access/access-model.js';
import { type AccessRule, peerCidrs } from '../access/access-rule.js';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { groupBy } from '../lists/group-by.js';
import type { Cidr } from '../net/cidr.js';
import { irredundant, subtractCidrs } from '../net/cidr-set.js';

/** The fields of an access rule that decide about packets. */
export type Opening = Pick<AccessRule, 'subject' | 'direction' | 'protocol' | 'ports' | 'peer'>;

/** The fields of an opening that a format carries; plain lists carry addresses only. */
export type ParsedOpening = Pick<Opening, 'peer'> & Partial<Opening>;

/** Openings that differ in their addresses only. */
export interface CidrOpening extends Omit<Opening, 'peer'> {
  /** In the order of their numbers, none inside another. */
  readonly cidrs: readonly Cidr[];
}

/** The directions in the order in which files state them. */
export const DIRECTIONS = ['egress', 'ingress'] as const;

export const ALL_PORTS = { first: 0, last: 65535 } as const;

/**
 * The rules of a model by what they open, for forms that know addresses only.
 *
 * @throws ConnectivityError `render.unsupported` for a peer that is not a CIDR, and for no rules
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

/** The one subject of a form that holds one only. @throws ConnectivityError `render.unsupported` */
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
  readonly name: string;
  /** True if it shows the rules as they are, rather than what a firewall must let through. */
  readonly showsRules?: true;
  /** @throws ConnectivityError `render.unsupported` for a rule that the form cannot say exactly */
  readonly render: (model: AccessModel) => string;
  /**
   * Reads what {@link render} wrote, with other addresses perhaps, and nothing else: a text that it
   * would not write is refused, so that no change by hand is overlooked.
   *
   * @throws ConnectivityError `render.unreadable`
   */
  readonly parse: (text: string) => readonly ParsedOpening[];
}

/**
 * The one opening of a list: what the list is for is in the firewall's own rule, so that a list
 * of several services would open each address for all of them.
 *
 * @throws ConnectivityError `render.unsupported`
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
  return new ConnectivityError('render.unsupported', `\`${target}\` ${rule}`);
}

/**
 * Compares a file with what it should open: lines with `+` are missing in it, those with `-` are too
 * much. Addresses decide: a network equals its two halves.
 */
export function difference(inFile: readonly ParsedOpening[], expected: readonly ParsedOpening[]) {
  const [found, wanted] = [groupBy(inFile, serviceKey), groupBy(expected, serviceKey)];
  return [...new Set([...found.keys(), ...wanted.keys()])].flatMap((service) => {
    const [open, needed] = [found.get(service) ?? [], wanted.get(service) ?? []];
    return [
      ...peersOnlyIn(open, needed).map((line) => `- ${line}`),
      ...peersOnlyIn(needed, open).map((line) => `+ ${line}`),
    ];
  });
}

function peersOnlyIn(a: readonly ParsedOpening[], b: readonly ParsedOpening[]): string[] {
  const [service] = a;
  if (service === undefined) return [];
  const inB = new Set(named(b));
  const peers = [
    ...subtractCidrs(peerCidrs(a), peerCidrs(b)).map(({ text }) => text),
    ...named(a).filter((name) => !inB.has(name)),
  ];
  return peers.map((peer) =>
    [service.subject, serviceText(service), peer].filter(Boolean).join(' '),
  );
}

function named(openings: readonly ParsedOpening[]): string[] {
  const names = openings.flatMap(({ peer }) => {
    if (peer.kind === 'cidr') return [];
    return [`${peer.kind} ${peer[peer.kind as keyof typeof peer]}`];
  });
  return [...new Set(names)];
}
