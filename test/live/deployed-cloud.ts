import { findResourceRow, RESOURCE_ROWS } from '../../src/cloud/table/index.js';
import { readLiveStack } from '../../src/live/live-stack.js';
import type { OpenCloud } from '../../src/live/read-outward.js';
import { NO_TERRAFORM } from '../../src/reach/read/terraform-json.js';
import { findDrift } from '../../src/review/found/drift.js';
import type { Cloud } from '../../src/sandbox/cloud/cloud.js';
import { route } from '../../src/sandbox/network/world.js';
import { fromProperties } from '../../src/sandbox/provider/cloud/state-conversion.js';

/** A cloud whose objects a state has, as the provider writes it after a deploy. */
export class DeployedCloud {
  readonly #state: { readonly resources: readonly object[] };

  constructor(readonly cloud: Cloud) {
    const resources = RESOURCE_ROWS.flatMap(({ cloudType, type }) =>
      Object.entries(cloud.state.resources[cloudType] ?? {}).map(([id, properties]) => ({
        mode: 'managed',
        type,
        name: id.replaceAll(/[^\w-]/g, '_'),
        instances: [
          {
            attributes: {
              ...fromProperties(findResourceRow(type)?.attributes ?? {}, properties),
              id,
            },
          },
        ],
      })),
    );
    this.#state = structuredClone({ resources });
  }

  async live() {
    const reader: OpenCloud = {
      get: async (type, identifier) => {
        try {
          return { identifier, properties: this.cloud.get(type, identifier) };
        } catch {
          return undefined;
        }
      },
      pages: async function* (this: Cloud, type: string) {
        yield this.list(type);
      }.bind(this.cloud),
    };
    const stack = { name: 'api', terraform: NO_TERRAFORM };
    return await readLiveStack(reader, stack, this.#state, 500);
  }

  /** Sentences on what differs from the deploy. */
  async drift(): Promise<string[]> {
    return findDrift(await this.live()).map(({ what }) => what);
  }

  isOpen(from: string, to: string, port: number): boolean {
    const world = {
      cloud: this.cloud.state,
      faults: new Set<never>(),
      service: undefined as never,
    };
    return route(world, { from, to, port }) === 'open';
  }

  /** Changes one property behind Terraform, through the cloud's own API. */
  edit(type: string, id: string, property: string, value: unknown): void {
    const patch = [{ op: 'replace', path: `/${property}`, value }] as never;
    this.cloud.startUpdate(type, id, patch, `edit-${this.#edits++}`);
  }

  #edits = 0;
}
