import type { Direction } from '../surroundings.js';
import { workloadGroups } from './groups.js';
import { findEndpoints, type World } from './world.js';

/**
 * The security groups that a fault has closed: whoever reads the cloud sees a rule in them that drops
 * everything, as somebody adds it by hand. A deploy that writes a group has it as written until a name is looked
 * up: then it is closed again, so that Terraform reads back what it wrote, and the check meets the fault.
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
