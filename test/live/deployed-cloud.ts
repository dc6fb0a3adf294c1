import { findResourceRow, RESOURCE_ROWS } from '../../src/cloud/table/index.js';
import { readLiveStack } from '../../src/live/live-stack.js';
import type { OpenCloud } from '../../src/live/read-outward.js';
import { NO_TERRAFORM } from '../../src/reach/read/terraform-json.js';
import { findDrift } from '../../src/review/found/drift.js';
import type { Cloud } from '../../src/sandbox/cloud/cloud.js';
import { route } from '../../src/sandbox/network/world.js';
import { fromProperties } from '../../src/sandbox/provider/cloud/state-conversion.js';
import { SANDBOX_SERVICE } from '../../src/sandbox/surroundings.js';

/** A cloud whose objects a state has, as the provider writes it after a deploy. */
export class DeployedCloud {
  readonly state: { readonly resources: readonly object[] };

  /** @param isOwn of this stack. @default - everything is */
  constructor(
    readonly cloud: Cloud,
    isOwn: (id: string) => boolean = () => true,
  ) {
    const resources = RESOURCE_ROWS.flatMap(({ cloudType, type }) =>
      Object.entries(cloud.state.resources[cloudType] ?? {})
        .filter(([id]) => isOwn(id))
        .map(([id, properties]) => ({
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
    this.state = structuredClone({ resources });
  }

  /** The calls to the cloud, which answer at once. */
  get reader(): OpenCloud {
    const { cloud } = this;
    return {
      get: async (type, identifier) => {
        try {
          return { identifier, properties: cloud.get(type, identifier) };
        } catch {
          return undefined;
        }
      },
      async *pages(type) {
        yield cloud.list(type);
      },
    };
  }

  /** @param others the states of other stacks */
  async live(
    others: readonly object[] = [],
    { cloud = this.reader, maxReads = 500 }: { cloud?: OpenCloud; maxReads?: number } = {},
  ) {
    const stack = { name: 'api', terraform: NO_TERRAFORM };
    return await readLiveStack(cloud, stack, this.state, maxReads, others as never);
  }

  /** Sentences on what differs from the deploy. */
  async drift(others: readonly object[] = []): Promise<string[]> {
    return (await this.rows(others)).map(({ what }) => what);
  }

  async rows(others: readonly object[] = []) {
    return findDrift(await this.live(others));
  }

  isOpen(from: string, to: string, port: number): boolean {
    const world = { cloud: this.cloud.state, faults: new Set<never>(), service: SANDBOX_SERVICE };
    return route(world, { from, to, port }) === 'open';
  }

  /** Changes one property behind Terraform, through the cloud's own API. */
  edit(type: string, id: string, property: string, value: unknown): void {
    const patch = [{ op: 'replace', path: `/${property}`, value }] as never;
    this.cloud.startUpdate(type, id, patch, `edit-${this.#edits++}`);
  }

  #edits = 0;
}

/** Numbers that are the same in each run, so that a failure can be repeated. */
export function dice(seed: number) {
  let state = seed * 2_654_435_761 + 1;
  return (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return (state >>> 8) % below;
  };
}

export type Roll = ReturnType<typeof dice>;
