import type { CloudReader } from '../../../cloud-control/cloud-reader.js';
import type { JsonObject } from '../../../files/json.js';
import { type Probe, RUN_NAME, RUN_TAG, readMembers } from './probes.js';

/** An object of a run that is in the cloud. */
export interface Leftover {
  readonly probe: Probe;
  readonly identifier: string;
  /** The name of the run, and of the object. */
  readonly run: string;
}

/** Finds what runs have in the cloud: objects whose name and whose tag are those of the same run. */
export async function findLeftovers(
  cloud: CloudReader,
  probes: readonly Probe[],
): Promise<Leftover[]> {
  const found: Leftover[] = [];
  for (const probe of probes) {
    const { cloudType } = probe.row;
    for (const { identifier, properties } of await cloud.list(cloudType)) {
      // A list may say little of an object, but what it says is so.
      const name = properties[probe.nameProperty];
      if (name !== undefined && !isRunName(name)) continue;
      const whole = (await cloud.get(cloudType, identifier))?.properties;
      const run = whole === undefined ? undefined : runOf(probe, whole);
      if (run !== undefined) found.push({ probe, identifier, run });
    }
  }
  return found;
}

/** Names an object of a run. */
export function sayLeftover({ probe, identifier, run }: Leftover): string {
  return `${probe.what} ${identifier} (${run})`;
}

function runOf({ nameProperty }: Probe, properties: JsonObject): string | undefined {
  const name = properties[nameProperty];
  const tag = readMembers(properties, 'Tags').find(({ Key }) => Key === RUN_TAG);
  return isRunName(name) && tag?.Value === name ? name : undefined;
}

function isRunName(name: unknown): name is string {
  return typeof name === 'string' && RUN_NAME.test(name);
}
