import {
  applies,
  type Intent,
  readHostPort,
  type TreeIntents,
} from '../../intents/intents-file.js';
import { mapLimited } from '../../lists/map-limited.js';
import type { VerifyOptions } from '../model/options.js';
import type { BackendResult, IntentResult, LinkResult } from '../model/results.js';
import { type HostPort, hostAndPort } from '../transport/addresses.js';
import type { RunContext } from '../transport/context.js';
import { doorText } from './controls.js';
import { ANSWER_MS, DIAL_MS } from './dial-door.js';
import { type Caller, findCaller } from './find-caller.js';
import { type Door, doorsOf, type Known, knownDoors, notShown, resultOf } from './find-doors.js';
import { type Dialling, type SeenDoor, seeDoor } from './see-door.js';
import { doorsSeenOpen } from './settle-silence.js';

const DOORS_AT_ONCE = 32;

/** The results of a check before it tries intents. */
export interface FoundBefore {
  readonly links: readonly LinkResult[];
  readonly backends: readonly BackendResult[];
}

interface Trial extends Dialling {
  readonly known: Known;
  /** Places that were open from here before. */
  readonly before: readonly HostPort[];
  readonly seen: Map<string, Promise<SeenDoor>>;
}

/**
 * Tries each intent from here with packets: new TCP connections, in which nothing secret is sent. What
 * cannot be shown from here is said to be not shown.
 *
 * @param dialMs milliseconds of one dial @default 7_000
 */
export async function tryIntents(
  run: RunContext,
  file: TreeIntents,
  options: Pick<VerifyOptions, 'links' | 'plugins'>,
  before: FoundBefore,
  dialMs = DIAL_MS,
): Promise<IntentResult[]> {
  const known = knownDoors(file, options, before.links);
  const seenOpen = openPlaces(before);
  const open = [...seenOpen, ...(file.controls ?? []).flatMap((one) => readHostPort(one) ?? [])];
  const dialling = { run, open, taken: known.doors, dialMs };
  const trial = { ...dialling, known, before: seenOpen, seen: new Map() };
  const own = file.intents.filter((intent) => applies(intent, file.environment));
  const results = await mapLimited(own, DOORS_AT_ONCE, (intent) => tryIntent(trial, intent));
  return results.flat();
}

/** Places that were seen open from here: nothing else is dialled to find a control. */
function openPlaces({ links, backends }: FoundBefore): HostPort[] {
  const healthy = backends.flatMap(({ status, server }) =>
    status === 'passed' && server !== undefined ? server : [],
  );
  return [...new Set([...links.flatMap(doorsSeenOpen), ...healthy])].map(hostAndPort);
}

async function tryIntent(trial: Trial, intent: Intent): Promise<IntentResult[]> {
  const found = doorsOf(intent, trial.known);
  if ('why' in found) return [notShown(intent, found.why)];
  return await Promise.all(found.doors.map((door) => tryDoor(trial, intent, door)));
}

async function tryDoor(trial: Trial, intent: Intent, door: Door): Promise<IntentResult> {
  const caller = await findCaller(trial.run, trial.known.file, intent, door);
  const more = { door: doorText(door) };
  if ('why' in caller) return notShown(intent, caller.why, more);
  const seen = await seeOnce(trial, door, intent.expect);
  const own = { ...more, from: caller.from };
  const last = seen.dials.at(-1);
  if (trial.run.options.signal?.aborted && last?.kind !== 'connected') {
    return { ...notShown(intent, 'the run was interrupted', own), code: 'run.interrupted' };
  }
  const why = whyNothing(seen, caller);
  if (why !== undefined) return notShown(intent, why, own);
  const judged = intent.expect === 'closed' ? judgeClosed : judgeOpen;
  return { ...judged(intent, seen, caller, trial), ...own };
}

/** Intents that speak of one door share its dials. */
function seeOnce(trial: Trial, door: Door, expect: Intent['expect']): Promise<SeenDoor> {
  const key = `${expect} ${doorText(door)}`;
  const seen = trial.seen.get(key) ?? seeDoor(trial, door, expect);
  trial.seen.set(key, seen);
  return seen;
}

/** Explains why dials show nothing, whatever came of them. */
function whyNothing(
  { empty, takesAll, sources, dials }: SeenDoor,
  { local }: Caller,
): string | undefined {
  const last = dials.at(-1);
  if (last?.kind === 'error' && last.error === 'run.too-many-files') {
    return 'this process may open no more connections (run.too-many-files)';
  }
  if (empty === undefined) return 'no subnet of the door is known, for an address that nobody has';
  if (takesAll) {
    return `a connection opens to ${doorText(empty)}, which nobody has: something here takes every connection`;
  }
  const others = sources.filter((address) => address !== local);
  if (local === undefined || others.length === 0) return undefined;
  return `the address from which this machine calls changed meanwhile: ${[local, ...others].join(', ')}`;
}

function judgeOpen(
  intent: Intent,
  { dials: [dialled] }: SeenDoor,
  { limits }: Caller,
  { dialMs }: Trial,
): IntentResult {
  if (dialled?.kind === 'connected') {
    return resultOf(intent, 'reachable', `it connects, ${limits}`);
  }
  const how = dialled?.kind === 'error' ? dialled.error : `silence for ${dialMs / 1_000} s`;
  return resultOf(intent, 'unreachable', `no connection (${how}), ${limits}`);
}

function judgeClosed(
  intent: Intent,
  { dials, controls, why, door }: SeenDoor,
  { limits }: Caller,
  { dialMs, before }: Trial,
): IntentResult {
  const last = dials.at(-1);
  if (last?.kind === 'connected') {
    if (!last.answers) {
      const tried = `within ${ANSWER_MS / 1_000} s of a hello of TLS and of a request of plain HTTP`;
      return notShown(intent, `it connects, and nothing comes ${tried}, ${limits}`);
    }
    return resultOf(intent, 'OPEN', `it connects and answers, ${limits}`);
  }
  if (last?.kind === 'error') {
    const text = `${last.error}: no listener, a firewall that rejects, and this machine's own look alike, ${limits}`;
    return notShown(intent, text);
  }
  if (why !== undefined || controls === undefined) return notShown(intent, why ?? 'no control');
  const wasOpen = before.some((one) => doorText(one) === doorText(door));
  if (wasOpen)
    return notShown(intent, `silent now, and open from here earlier in this run, ${limits}`);
  const route = controls.host === undefined ? '; a missing route is not excluded' : '';
  const beside = [controls.egress, controls.host].flatMap((one) => (one ? [doorText(one)] : []));
  const text = `${dials.length} dials of ${dialMs / 1_000} s were silent beside ${beside.join(' and ')}, ${limits}${route}`;
  return { ...notShown(intent, text), isSilent: true };
}
