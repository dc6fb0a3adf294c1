import type { RuleList } from '../rules/reading.js';
import type { Gates } from './gates.js';
import type { HostName } from './host-names.js';

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
