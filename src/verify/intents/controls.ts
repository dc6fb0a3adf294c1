import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { formatAddress, parseAddress } from '../../net/address.js';
import { cidrContains, parseCidr } from '../../net/cidr.js';
import { bracketed, type HostPort } from '../transport/addresses.js';
import type { RunContext } from '../transport/context.js';
import { type Dialled, dialDoor, findSource, isRerouted } from './dial-door.js';
import type { Door } from './find-doors.js';

/** Seconds between two dials of the same control. */
const EVERY_MS = 1_000;

/** The length of a pause of this machine that hides what would have come meanwhile. */
const MAX_PAUSE_MS = 3_000;

/** The controls beside the dials of a closed door. */
export interface Controls {
  /** The same port of another address, through the same interface. */
  readonly egress: HostPort;
  /** Another port of the same address. */
  readonly host?: HostPort;
}

export function doorText({ host, port }: HostPort): string {
  return `${bracketed(host)}:${port}`;
}

/**
 * Finds open places to compare a closed door with.
 *
 * @param open places that may be dialled and may be open
 * @returns why there are none, in place of them
 */
export async function findControls(
  run: RunContext,
  door: HostPort,
  open: readonly HostPort[],
  timeoutMs: number,
): Promise<Controls | string> {
  const passes = async (one: HostPort) =>
    (await dialDoor(run, one, { timeoutMs })).kind === 'connected';
  const source = await findSource(door.host);
  const isLed = await isRerouted(run, door);
  const alike = open.filter(
    ({ host, port }) => port === door.port && host !== door.host && isIP(host) === isIP(door.host),
  );
  const egress = await firstOf(alike, async (one) => {
    const other = await findSource(one.host);
    // What this machine sends to its own addresses leaves by no interface.
    const isAlike = source?.device === other?.device && other?.address !== one.host;
    return isAlike && (await isRerouted(run, one)) === isLed && (await passes(one));
  });
  if (egress === undefined) {
    return `no control: nothing else on port ${door.port} is open from here through the same interface`;
  }
  const near = open.filter(({ host, port }) => host === door.host && port !== door.port);
  const host = await firstOf(near, passes);
  return { egress, ...(host !== undefined && { host }) };
}

async function firstOf<T>(
  all: readonly T[],
  is: (one: T) => Promise<boolean>,
): Promise<T | undefined> {
  for (const one of all) if (await is(one)) return one;
  return undefined;
}

/** Dials the controls each second until the work has ended; answers why they do not count, if so. */
export async function duringControls<T>(
  run: RunContext,
  { egress, host }: Controls,
  timeoutMs: number,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly why: string | undefined }> {
  const all = [egress, ...(host === undefined ? [] : [host])];
  const dials: Promise<Dialled>[] = [];
  // One clock stands still while a machine sleeps, the other one can be set.
  const clocks = () => [performance.now(), Date.now()];
  let [last, longest] = [clocks(), 0];
  const beat = () => {
    const now = clocks();
    longest = Math.max(longest, ...now.map((time, at) => Math.abs(time - (last[at] ?? time))));
    last = now;
    dials.push(...all.map((one) => dialDoor(run, one, { timeoutMs })));
  };
  beat();
  const timer = setInterval(beat, EVERY_MS);
  try {
    const result = await work();
    beat();
    const ends = await Promise.all(dials);
    const lost = ends.find(({ kind }) => kind !== 'connected');
    if (lost !== undefined) {
      const how = lost.kind === 'error' ? lost.error : lost.kind;
      return {
        result,
        why: `a control failed meanwhile (${how}): ${all.map(doorText).join(', ')}`,
      };
    }
    return {
      result,
      why:
        longest > MAX_PAUSE_MS
          ? 'this machine stood still meanwhile, or its clock was set'
          : undefined,
    };
  } finally {
    clearInterval(timer);
  }
}

/**
 * An address of the stack's subnets that no object is known to have, on the port of the door: whatever
 * connects there takes every connection. Undefined where no subnet is known.
 */
export function negativeControl(door: Door, taken: readonly HostPort[]): HostPort | undefined {
  const family = parseAddress(door.host).family;
  const cidrs = door.networks.map(parseCidr).filter((cidr) => cidr.family === family);
  const near = cidrs.filter((cidr) => cidrContains(cidr, parseAddress(door.host)));
  const local = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const hosts = new Set([door, ...taken].map(({ host }) => host));
  for (const { address } of local) hosts.add(address);
  for (const { first, last } of [...near, ...cidrs]) {
    // From the end, before the addresses that a cloud gives to clients and keeps for itself.
    const end = last - first > 32n ? last - 17n : last - 1n;
    for (let value = end; value > first; value -= 1n) {
      const host = formatAddress({ family, value });
      if (!hosts.has(host)) return { host, port: door.port };
    }
  }
  return undefined;
}
