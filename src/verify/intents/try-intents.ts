import {
  applies,
  type Intent,
  readHostPort,
  type TreeIntents,
} from '../../intents/intents-file.js';
import { parseAddress } from '../../net/address.js';
import type { VerifyOptions } from '../model/options.js';
import type { BackendResult, IntentResult, LinkResult } from '../model/results.js';
import {
  type HostPort,
  hostAndPort,
  isOwnAddress,
  readOwnAddresses,
} from '../transport/addresses.js';
import type { RunContext } from '../transport/context.js';
import { mapLimited } from '../transport/limiter.js';
import {
  type Controls,
  doorText,
  duringControls,
  findControls,
  negativeControl,
} from './controls.js';
import { DIAL_MS, type Dialled, dialDoor, findSource, isTunnel } from './dial-door.js';
import { type Door, doorsOf, type Known, knownDoors, notShown, resultOf } from './find-doors.js';
import { doorsSeenOpen } from './settle-silence.js';
import { means } from './who.js';

/** Dials of one closed door, one after the other. */
const DIALS = 3;

const DOORS_AT_ONCE = 32;

/** The results of a check before it tries intents. */
export interface FoundBefore {
  readonly links: readonly LinkResult[];
  readonly backends: readonly BackendResult[];
}

interface Trial {
  readonly run: RunContext;
  readonly known: Known;
  readonly open: readonly HostPort[];
  readonly dialMs: number;
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
  const open = [
    ...openPlaces(before),
    ...(file.controls ?? []).flatMap((one) => readHostPort(one) ?? []),
  ];
  const trial = { run, known, open, dialMs };
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
  const source = await findCaller(trial, intent, door);
  const more = { door: doorText(door) };
  if ('why' in source) return notShown(intent, source.why, more);
  const { run, known, dialMs } = trial;
  const own = { ...more, from: source.from };
  const empty = negativeControl(door, known.doors);
  if (empty === undefined) {
    return notShown(intent, 'no subnet of the door is known, for an address that nobody has', own);
  }
  const [false_, result] = await Promise.all([
    dialDoor(run, empty, { timeoutMs: dialMs }),
    intent.expect === 'closed'
      ? tryClosed(trial, intent, door, source)
      : tryOpen(trial, intent, door, source),
  ]);
  if (false_.kind !== 'connected') return { ...result, ...own };
  const why = `a connection opens to ${doorText(empty)}, which nobody has: something here takes every connection`;
  return notShown(intent, why, own);
}

interface Caller {
  /** One address, or each that it may be. */
  readonly from: string;
  /** The limits of what the address says. */
  readonly limits: string;
}

/** The address from which this machine is seen, if the intent speaks of it. */
async function findCaller(
  { run, known: { file } }: Trial,
  { from }: Intent,
  door: Door,
): Promise<Caller | { readonly why: string }> {
  if (run.proxy !== undefined) return { why: `behind the proxy ${run.proxy.shown}` };
  const { family } = parseAddress(door.host);
  const given = (await readOwnAddresses(run.options.ownAddresses ?? []))
    .filter(isOwnAddress)
    .filter((address) => parseAddress(address).family === family);
  const source = await findSource(door.host);
  const isRerouted = (await run.connectToRules.find(door.host, door.host, door.port)) !== undefined;
  if (source !== undefined && !isRerouted && isTunnel(source.device)) {
    return { why: `behind the tunnel ${source.device}` };
  }
  // Where a rule leads the dial elsewhere, this machine's own address there says nothing.
  const local = isRerouted || source === undefined ? [] : [source.address];
  const seen = [...new Set([...given, ...local])];
  if (seen.length === 0) return { why: 'the address from which this machine calls is not known' };
  const names = { file, links: [], via: door.via, isInward: door.via !== 'fixed-ip-egress' };
  for (const address of seen) {
    const isMeant = means(from, address, names);
    if (isMeant === true) continue;
    const which =
      isMeant === undefined
        ? 'it is not known whether the intent speaks of'
        : 'the intent does not speak of';
    return { why: `${which} ${address}, from which this machine calls` };
  }
  const asGiven = given.length > 0 ? ' as given' : '';
  const addresses = seen.join(' or ');
  return { from: addresses, limits: `from ${addresses}${asGiven}; NAT not excluded` };
}

async function tryOpen(
  { run, dialMs }: Trial,
  intent: Intent,
  door: Door,
  { limits }: Caller,
): Promise<IntentResult> {
  const dialled = await dialDoor(run, door, { timeoutMs: dialMs });
  const { name, expect } = intent;
  const at = new Date().toISOString();
  if (dialled.kind === 'connected') {
    return { name, expect, result: 'reachable', seen: `it connects, ${limits}`, at };
  }
  const how = dialled.kind === 'error' ? dialled.error : `silence for ${dialMs / 1_000} s`;
  return resultOf(intent, 'unreachable', `no connection (${how}), ${limits}`);
}

/** Dials a door that should be closed, between controls. */
async function tryClosed(
  trial: Trial,
  intent: Intent,
  door: Door,
  caller: Caller,
): Promise<IntentResult> {
  const { run, open, dialMs } = trial;
  const controls = await findControls(run, door, open, dialMs);
  if (typeof controls !== 'string') {
    const { result, why } = await duringControls(run, controls, dialMs, () =>
      dialTimes(trial, door, DIALS),
    );
    return judgeDials(intent, result, caller, controls, why, dialMs);
  }
  // Whatever the controls, a door that is open is open.
  const [first] = await dialTimes(trial, door, 1);
  const dials = first === undefined ? [] : [first];
  return judgeDials(intent, dials, caller, undefined, controls, dialMs);
}

/** One after the other, each from a fresh source port; the first that is not silent decides. */
async function dialTimes({ run, dialMs }: Trial, door: Door, times: number): Promise<Dialled[]> {
  const dials: Dialled[] = [];
  while (dials.length < times) {
    const dialled = await dialDoor(run, door, { timeoutMs: dialMs, listens: true });
    dials.push(dialled);
    if (dialled.kind !== 'silent') break;
  }
  return dials;
}

function judgeDials(
  intent: Intent,
  dials: readonly Dialled[],
  { limits }: Caller,
  controls: Controls | undefined,
  why: string | undefined,
  dialMs: number,
): IntentResult {
  const last = dials.at(-1);
  if (last?.kind === 'connected') {
    if (!last.answers) return notShown(intent, `it connects and sends nothing, ${limits}`);
    return resultOf(intent, 'OPEN', `it connects and answers, ${limits}`);
  }
  if (last?.kind === 'error') {
    const seen = `${last.error}: no listener, a firewall that rejects, and this machine's own look alike, ${limits}`;
    return notShown(intent, seen);
  }
  if (why !== undefined || controls === undefined) return notShown(intent, why ?? 'no control');
  const route = controls.host === undefined ? '; a missing route is not excluded' : '';
  const beside = [controls.egress, controls.host].flatMap((one) => (one ? [doorText(one)] : []));
  const seen = `${dials.length} dials of ${dialMs / 1_000} s were silent beside ${beside.join(' and ')}, ${limits}${route}`;
  return { ...notShown(intent, seen), isSilent: true };
}
