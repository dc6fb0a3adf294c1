import { randomBytes } from 'node:crypto';
import type { CloudReader } from '../../../cloud-control/cloud-reader.js';
import type { CloudWriter } from '../../../cloud-control/cloud-writer.js';
import { asText, type JsonObject } from '../../../files/json.js';
import { type Measured, measureObject, untilAccepted } from './measure-object.js';
import { makeProbes, type Probe, RUN_NAME, RUN_TAG, readMembers } from './probes.js';

/** The VPC of a measurement, as it was before. */
export interface MeasuredVpc {
  readonly id: string;
  readonly subnets: number;
  readonly created: string | undefined;
}

/** The steps of a measurement, and all that it saw. */
export interface Measurement extends Measured {
  readonly run: string;
  readonly started: string;
  readonly vpc: MeasuredVpc;
  /** The names of earlier runs whose objects were deleted. */
  readonly removed: readonly string[];
  /** The objects of runs that are still there; undefined where that could not be read. */
  readonly left: readonly string[] | undefined;
}

/** Returns the VPC; undefined where there is none. */
export async function readVpc(
  cloud: CloudWriter,
  type: string,
  id: string,
): Promise<MeasuredVpc | undefined> {
  const properties = (await cloud.get(type, id))?.properties;
  if (properties === undefined) return undefined;
  const { SubnetIds: subnets, CreationTime: created } = properties;
  return { id, subnets: Array.isArray(subnets) ? subnets.length : 0, created: asText(created) };
}

/** Makes, changes and deletes the objects one after the other, and leaves nothing. */
export async function runMeasurement(
  cloud: CloudWriter,
  vpc: MeasuredVpc,
  earlier: readonly Leftover[],
  signal: AbortSignal,
): Promise<Measurement> {
  const started = new Date().toISOString();
  const run = newRun();
  const probes = makeProbes(vpc.id);
  const measured: Measured = { steps: [], sets: [] };
  let left: readonly Leftover[] | undefined;
  try {
    await removeLeftovers(cloud, earlier);
    for (const probe of probes) await measureObject({ cloud, run, signal }, probe, measured);
  } finally {
    left = await removeAll(cloud, probes);
  }
  const isGone = (one: Leftover) => left?.every(({ identifier }) => identifier !== one.identifier);
  const removed = [...new Set(earlier.filter(isGone).map((one) => one.run))];
  return { run, started, vpc, removed, ...measured, left: left?.map(sayLeftover) };
}

function newRun(): string {
  return `secure-connectivity-measure-${randomBytes(4).toString('hex')}`;
}

/** Deletes all that runs have in the cloud. @returns what is left; undefined where that cannot be read */
async function removeAll(
  cloud: CloudWriter,
  probes: readonly Probe[],
): Promise<readonly Leftover[] | undefined> {
  try {
    await removeLeftovers(cloud, await findLeftovers(cloud, probes));
    return await findLeftovers(cloud, probes);
  } catch {
    return undefined;
  }
}

async function removeLeftovers(cloud: CloudWriter, leftovers: readonly Leftover[]): Promise<void> {
  for (const { probe, identifier } of leftovers) {
    // What cannot be deleted is found again, and named.
    await untilAccepted(() => cloud.delete(probe.row.cloudType, identifier));
  }
}

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
