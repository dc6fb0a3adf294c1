import type { TerraformResource, TerraformStackJson } from '../read/terraform-json.js';
import type { ReviewedPeer } from '../reviewed-rule.js';
import type { Services } from '../sets/services.js';

/** What a resource of the Terraform JSON lets through, told without a look at the access rules. */
export interface Opening {
  /** Terraform's address of the resource. */
  readonly resource: string;
  readonly direction: 'ingress' | 'egress';
  readonly peer: ReviewedPeer;
  readonly services: Services;
}

export interface Reading {
  readonly openings: readonly Opening[];
  /** What could not be read, as sentences. */
  readonly problems: readonly string[];
}

/** Reads resources of one type; a reader per type is all that a new type needs. */
export type Reader = (resource: TerraformResource, stack: TerraformStackJson) => Reading;

export const NO_RULES: Reader = () => ({ openings: [], problems: [] });

export function joinReadings(readings: readonly Reading[]): Reading {
  return {
    openings: readings.flatMap(({ openings }) => openings),
    problems: readings.flatMap(({ problems }) => problems),
  };
}
