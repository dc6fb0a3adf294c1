import type { HostPort } from '../transport/addresses.js';
import type { RunContext } from '../transport/context.js';
import { type Controls, duringControls, findControls, negativeControl } from './controls.js';
import { type Dialled, dialDoor, findSource } from './dial-door.js';
import type { Door } from './find-doors.js';

/** Dials of one closed door, one after the other. */
const DIALS = 3;

/** Everything that dials from here need. */
export interface Dialling {
  readonly run: RunContext;
  /** Places that may be open from here, to compare a silent door with. */
  readonly open: readonly HostPort[];
  /** Addresses that are known to be somebody's. */
  readonly taken: readonly HostPort[];
  /** Milliseconds of one dial. */
  readonly dialMs: number;
}

/** The dials of a door, and everything that says what they show. */
export interface SeenDoor {
  readonly door: HostPort;
  readonly dials: readonly Dialled[];
  /** This machine's own addresses from before the first dial until after the last one. */
  readonly sources: readonly string[];
  readonly controls?: Controls;
  /** The reason why silence shows nothing. */
  readonly why?: string | undefined;
  /** An address that nobody has, and that takes connections; undefined where no subnet is known. */
  readonly empty: HostPort | undefined;
  readonly takesAll: boolean;
}

/** Dials a door as an intent expects it, beside an address that nobody has. */
export async function seeDoor(
  dialling: Dialling,
  door: Door,
  expect: 'reachable' | 'closed',
): Promise<SeenDoor> {
  const { run, open, taken, dialMs } = dialling;
  const empty = negativeControl(door, [...open, ...taken]);
  const [control, seen] = await Promise.all([
    empty && dialDoor(run, empty, { timeoutMs: dialMs }),
    expect === 'closed' ? seeClosed(dialling, door) : dialTimes(dialling, door, 1, false),
  ]);
  return { ...seen, door, empty, takesAll: control?.kind === 'connected' };
}

/** Dials a door that should be closed, between controls. */
async function seeClosed(dialling: Dialling, door: Door) {
  const { run, open, dialMs } = dialling;
  const controls = await findControls(run, door, open, dialMs);
  // Whatever the controls, a door that is open is open.
  if (typeof controls === 'string') {
    return { ...(await dialTimes(dialling, door, 1, true)), why: controls };
  }
  const { result, why } = await duringControls(run, controls, dialMs, () =>
    dialTimes(dialling, door, DIALS, true),
  );
  return { ...result, controls, why };
}

/** One after the other, each from a fresh source port; the first that is not silent decides. */
async function dialTimes(
  { run, dialMs }: Dialling,
  door: HostPort,
  times: number,
  listens: boolean,
): Promise<Pick<SeenDoor, 'dials' | 'sources'>> {
  const dials: Dialled[] = [];
  const sources = [await findSource(door.host)];
  while (dials.length < times) {
    const dialled = await dialDoor(run, door, { timeoutMs: dialMs, listens });
    dials.push(dialled);
    sources.push(await findSource(door.host));
    if (dialled.kind !== 'silent') break;
  }
  return { dials, sources: [...new Set(sources.map((source) => source?.address ?? 'none'))] };
}
