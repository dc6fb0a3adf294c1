import type { Name } from '../packet-rule.js';
import type { RuleList } from '../rules/reading.js';
import type { Services } from '../sets/services.js';

/** A list of rules, under the name that people have for what it guards. */
export interface Door {
  readonly stack: string;
  readonly file: string;
  readonly subject: string;
  readonly via: string;
  /** The subjects whose rules it carries; else what it is called: no other door is of that. */
  readonly of: readonly Name[];
  /** The VPC that the carrier is in: Terraform's address or the identifier; empty where it is in none. */
  readonly vpc: string;
  /** The subnets that the carrier is in, or that a network ACL guards. */
  readonly subnets: readonly string[];
  readonly list: RuleList;
  /** Conditions that no rule states, passed before the rules: all packets pass one, or none does. */
  readonly gates: readonly RuleList[];
  /** Absent where the rules are not those of a listener. */
  readonly backend?: Backend | undefined;
  /** Behind a listener, servers that calls are sent to and do not get to, beside others that they do. */
  readonly closedServers?: readonly ClosedServer[] | undefined;
  /** Names by which clients find it. */
  readonly hosts: readonly HostName[];
}

/** The servers that a listener sends calls to. */
export interface Backend {
  /** Terraform's address of the server group. */
  readonly group: string;
  /** Those that calls go to; undefined where the source does not have them. */
  readonly servers: readonly Server[] | undefined;
}

/** A server that is closed for certain. */
export interface ClosedServer {
  /** `10.40.1.10:8080`. */
  readonly name: string;
  readonly why: string;
}

export interface Server {
  /** `10.40.1.10:8080`. */
  readonly name: string;
  readonly services: Services;
  /** Terraform's addresses of its interfaces, where the source has them. */
  readonly interfaces: readonly string[];
  /** The subnets that it stands in, where the source has them. */
  readonly subnets: readonly string[];
  /** Terraform's addresses of the groups that outputs say to attach to it; undefined where none says so. */
  readonly groups: readonly string[] | undefined;
}

/** A name that a private zone leads to an endpoint, in the VPCs that the zone is bound to. */
export interface HostName {
  readonly name: string;
  readonly zone: string;
  /** Terraform's addresses, or identifiers. */
  readonly vpcs: readonly string[];
  /** The zone answers with nothing: its record is disabled. */
  readonly isDisabled: boolean;
}

/** Tells whether doors carry rules of the same subject. */
export function isOfSame(one: Pick<Door, 'of'>, other: Pick<Door, 'of'>): boolean {
  return one.of.some(({ subject, via }) =>
    other.of.some((own) => own.subject === subject && own.via === via),
  );
}

/** Several groups of one interface decide together. */
export function decideTogether(door: Door, others: readonly Door[]): Door {
  const all = [door, ...others].map(({ list }) => list);
  const rules = all.flatMap((list) => list.rules);
  return {
    ...door,
    list: { ...door.list, rules, unclear: all.flatMap((list) => list.unclear ?? []) },
  };
}

/** The doors that packets of one place pass, one after the other. */
export interface Way {
  readonly stack: string;
  readonly subject: string;
  readonly via: string;
  readonly vpc: string;
  readonly direction: 'ingress' | 'egress';
  /** Names that a question can call the place by. */
  readonly names: readonly string[];
  readonly series: readonly Door[];
  /** Names that clients resolve, each VPC by itself. */
  readonly hosts: readonly HostName[];
  /** Families in which the place can have an address. */
  readonly families: readonly (4 | 6)[];
}

/**
 * Finds what the private zones say of a name that clients resolve: of the name itself, else of all below a domain.
 *
 * @param ways all of the stack: what leads the name itself elsewhere comes before what is said of all
 */
export function hostsOf(
  { direction, hosts }: Way,
  asked: string,
  ways: readonly Way[],
): readonly HostName[] {
  if (direction !== 'ingress') return [];
  const wanted = asked.toLowerCase();
  const isExact = ({ name }: HostName) => name === wanted;
  const isBelow = ({ name }: HostName) => name.startsWith('*.') && wanted.endsWith(name.slice(1));
  return hosts.filter(ways.some((way) => way.hosts.some(isExact)) ? isExact : isBelow);
}

/** Tells whether a question can call a place so; whoever calls has no name that others resolve. */
export function isCalled(way: Way, name: string, ways: readonly Way[]): boolean {
  return way.names.includes(name) || hostsOf(way, name, ways).length > 0;
}
