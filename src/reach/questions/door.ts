import type { RuleList } from '../rules/reading.js';

/** A list of rules, under the name that people have for what it guards. */
export interface Door {
  readonly stack: string;
  readonly file: string;
  readonly subject: string;
  readonly via: string;
  /** The VPC that the carrier is in: Terraform's address or the identifier; empty where it is in none. */
  readonly vpc: string;
  /** The subnets that the carrier is in, or that a network ACL guards. */
  readonly subnets: readonly string[];
  readonly list: RuleList;
  readonly gates: Gates;
  /** Names by which clients find it. */
  readonly hosts: readonly HostName[];
}

/** The conditions of a place that no rule states: all packets pass one, or none does. */
export interface Gates {
  /** Passed before the rules of the place. */
  readonly before: readonly RuleList[];
  /** Passed after them. */
  readonly after: readonly RuleList[];
}

/** A name that a private zone leads to an endpoint, in the VPCs that the zone is bound to. */
export interface HostName {
  readonly name: string;
  readonly zone: string;
  /** Terraform's addresses, or identifiers. */
  readonly vpcs: readonly string[];
}
