import type { Direction } from '../surroundings.js';
import { workloadGroups } from './groups.js';
import { findEndpoints, type World } from './world.js';

/**
 * The security groups that a fault has closed: clients of the cloud read in them a rule that drops everything,
 * like one that was added by hand. A group that a deploy writes is as written until a name is looked up, and then
 * closed again: Terraform reads back what it wrote, and the check meets the fault.
 */
export class ClosedGroups {
  readonly #written = new Set<string>();

  onWrite(identifier = ''): void {
    this.#written.add(identifier);
  }

  onLookup(): void {
    this.#written.clear();
  }

  isShut(world: World, group: string, direction: Direction): boolean {
    if (this.#written.has(group)) return false;
    if (direction === 'ingress') {
      const isOfEndpoint = findEndpoints(world).some(({ groupIds }) => groupIds.includes(group));
      return isOfEndpoint && world.faults.has('security-group-closed');
    }
    const waysOut = workloadGroups(world, 'egress').map(({ SecurityGroupId: id }) => id);
    return waysOut.includes(group) && world.faults.has('egress-closed');
  }
}
