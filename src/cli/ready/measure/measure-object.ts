import { setTimeout as wait } from 'node:timers/promises';
import type { CloudWriter, Written } from '../../../cloud-control/cloud-writer.js';
import { CloudControlError, PAUSES_MS, REFUSED_NOW } from '../../../cloud-control/transport.js';
import { safeText } from '../../../codes/redact.js';
import type { JsonObject } from '../../../files/json.js';
import { isMember, newObject, type Probe, patchSets, readMembers } from './probes.js';

export type Operation = 'create' | 'update' | 'delete';

/** An answer of the cloud, or of what is before it, that is no success. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly status: number;
}

/** One write and how long it took until a read showed it. */
export interface Step {
  readonly what: string;
  readonly operation: Operation;
  /** False if the cloud refused it at the last try too, or no read showed it. */
  readonly isDone: boolean;
  /** From the call that was not refused to the read that showed it. */
  readonly seconds?: number;
  readonly polls?: number;
  readonly reads?: number;
  readonly refusals: readonly Refusal[];
}

/** A set as it was read after a write. */
export interface ReadSet {
  readonly what: string;
  readonly property: string;
  readonly after: Operation;
  readonly written: readonly JsonObject[];
  readonly read: readonly JsonObject[];
  /** The cloud leaves the property out. */
  readonly isAbsent: boolean;
}

export interface Measured {
  readonly steps: Step[];
  readonly sets: ReadSet[];
}

/** Work that stops between two steps. */
interface Bounds {
  readonly cloud: CloudWriter;
  readonly run: string;
  readonly signal: AbortSignal;
}

/** Makes, changes and deletes one object, and notes what the cloud answers. */
export async function measureObject(on: Bounds, probe: Probe, measured: Measured): Promise<void> {
  const { cloud, run } = on;
  const { cloudType } = probe.row;
  const made = await step(on, probe, 'create', measured, {
    write: () => cloud.create(cloudType, newObject(probe, run)),
    isShown: (read) => read !== undefined,
  });
  if (made === undefined) return;
  const { identifier, found } = made;
  if (found !== undefined) {
    noteSets(measured, probe, 'create', found);
    const changed = await step(on, probe, 'update', measured, {
      write: () => cloud.update(cloudType, identifier, patchSets(found, probe.changed)),
      isShown: (read) => read !== undefined && patchSets(read, probe.changed).length === 0,
    });
    if (changed?.found !== undefined) noteSets(measured, probe, 'update', changed.found);
  }
  await step(on, probe, 'delete', measured, {
    write: () => cloud.delete(cloudType, identifier),
    isShown: (read) => read === undefined,
  });
}

interface Work {
  readonly write: () => Promise<Written>;
  /** Tells whether a read shows what was written. */
  readonly isShown: (properties: JsonObject | undefined) => boolean;
}

interface Stepped {
  readonly identifier: string;
  readonly found: JsonObject | undefined;
}

/** Writes, and reads until the write is seen. */
async function step(
  { cloud, signal }: Bounds,
  { what, row }: Probe,
  operation: Operation,
  { steps }: Measured,
  { write, isShown }: Work,
): Promise<Stepped | undefined> {
  if (signal.aborted) return undefined;
  const { written, from, refusals } = await untilAccepted(write, signal);
  if (written === undefined) {
    steps.push({ what, operation, isDone: false, refusals });
    return undefined;
  }
  const { identifier, polls } = written;
  try {
    const { found, reads } = await readUntil(cloud, row.cloudType, identifier, isShown);
    const seconds = Math.round((performance.now() - from) / 10) / 100;
    steps.push({ what, operation, isDone: isShown(found), seconds, polls, reads, refusals });
    return { identifier, found };
  } catch (error) {
    steps.push({
      what,
      operation,
      isDone: false,
      polls,
      refusals: [...refusals, readRefusal(error)],
    });
    return { identifier, found: undefined };
  }
}

interface Accepted {
  /** Undefined where the cloud refused it at the last try too. */
  readonly written: Written | undefined;
  /** The time of the last try. */
  readonly from: number;
  readonly refusals: readonly Refusal[];
}

/** Writes, and what the cloud refuses only for the moment again. */
export async function untilAccepted(
  write: () => Promise<Written>,
  signal?: AbortSignal,
): Promise<Accepted> {
  const refusals: Refusal[] = [];
  for (let time = 0; ; time += 1) {
    const pause = PAUSES_MS[time];
    const from = performance.now();
    try {
      return { written: await write(), from, refusals };
    } catch (error) {
      const refusal = readRefusal(error);
      refusals.push(refusal);
      const isLast = pause === undefined || !REFUSED_NOW.test(refusal.code);
      if (!isLast) await wait(pause, undefined, { signal }).catch(() => {});
      if (isLast || signal?.aborted) return { written: undefined, from, refusals };
    }
  }
}

const READ_PAUSE_MS = 500;
const MAX_READS = 20;

async function readUntil(
  cloud: CloudWriter,
  type: string,
  identifier: string,
  isShown: Work['isShown'],
): Promise<{ readonly found: JsonObject | undefined; readonly reads: number }> {
  for (let reads = 1; ; reads += 1) {
    const found = (await cloud.get(type, identifier))?.properties;
    if (isShown(found) || reads === MAX_READS) return { found, reads };
    await wait(READ_PAUSE_MS);
  }
}

/** Reads an error of a write. What got no answer, or a strange one, has no code of the cloud. */
function readRefusal(error: unknown): Refusal {
  if (error instanceof CloudControlError) {
    return { code: error.code, message: safeText(error.reason), status: error.status };
  }
  return { code: 'NoAnswer', message: safeText(String(error)), status: 0 };
}

function noteSets({ sets }: Measured, probe: Probe, after: Operation, found: JsonObject): void {
  const wanted = after === 'create' ? probe.made : probe.changed;
  for (const [property, written] of Object.entries(wanted)) {
    const read = readMembers(found, property);
    const isAbsent = (found[property] ?? undefined) === undefined;
    sets.push({ what: probe.what, property, after, written, read, isAbsent });
  }
}

/** Members of a set that nobody wrote. */
export function strangeMembers({ written, read }: ReadSet): JsonObject[] {
  return read.filter((one) => !written.some((member) => isMember(one, member)));
}

/** Tells whether the members that were written are read in another order; undefined where some are missing. */
export function isReordered({ written, read }: ReadSet): boolean | undefined {
  const places = written.map((member) => read.findIndex((one) => isMember(one, member)));
  if (places.length < 2 || places.includes(-1)) return undefined;
  return places.some((place, index) => index > 0 && place < (places[index - 1] ?? 0));
}
