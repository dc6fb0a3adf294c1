import { privatelinkVpcEndpoint } from '../cloud/table/privatelink.js';
import { groupBy } from '../lists/group-by.js';
import { type CloudState, listResources } from '../sandbox/cloud/cloud-state.js';
import { readObjects, readText } from '../sandbox/json.js';
import { findServers } from '../sandbox/network/world.js';
import { dialDoor } from '../verify/intents/dial-door.js';
import { prepareRun } from '../verify/run/prepare-run.js';
import { type Probe, REACHABLE } from './report-schema.js';
import { DIAL_TIMEOUT_MS, TIMEOUT_MS } from './sandbox-options.js';
import type { Stage } from './stage/stage.js';
import type { IntentCourse } from './timeline/account.js';

/**
 * Prepares to dial the packet of each intent that a step breaks or mends, as it is right after that step.
 *
 * @param states before the step, and after it
 */
export function intentDials(
  { sandbox }: Stage,
  courses: readonly IntentCourse[],
  number: number,
  states: readonly [CloudState, CloudState],
): (() => Promise<Probe>)[] {
  return courses.flatMap(({ name, answers }) => {
    const [before, now] = [answers[number - 1], answers[number]];
    const isBroken = now?.verdict === 'broken';
    if (isBroken === (before?.verdict === 'broken')) return [];
    const { packet = '', expect = 'closed' } = (isBroken ? now : before) ?? {};
    const call = readCall(packet);
    const found = call && findDoor(call, states);
    if (found === undefined) return [];
    const { from, ...door } = found;
    const isOpen = isBroken === (expect === 'closed');
    const link = `${door.host}:${door.port} for ${JSON.stringify(name)}`;
    const connectTo = sandbox.leads(states[1], from);
    return async () => {
      const seen = await dial(connectTo, door, isOpen);
      return { link, intent: name, seen, from, agrees: (seen !== SILENT) === isOpen };
    };
  });
}

export const SILENT = 'tcp.timeout';

/**
 * Dials a place; again where nobody answers as expected. A refusal has passed every rule: nobody listens there.
 *
 * @param connectTo where dials lead
 */
export async function dial(
  connectTo: readonly string[],
  door: { readonly host: string; readonly port: number },
  isOpen: boolean,
): Promise<string> {
  const run = await prepareRun({ connectTo });
  const once = async (timeoutMs: number) => {
    const dialled = await dialDoor(run, door, { timeoutMs });
    if (dialled.kind === 'error') return dialled.error;
    return dialled.kind === 'silent' ? SILENT : REACHABLE;
  };
  const first = await once(DIAL_TIMEOUT_MS);
  // A busy machine answers late.
  return first === SILENT && isOpen ? await once(TIMEOUT_MS) : first;
}

/** A TCP connection over IPv4, to something that people have a name for. */
export interface NamedCall {
  readonly from: string;
  readonly subject: string;
  readonly port: number;
}

/** Reads the packet of an answer; undefined where it is another one than TCP over IPv4. */
export function readCall(packet: string): NamedCall | undefined {
  const [, from, subject, port] = /^(\d+(?:\.\d+){3}) → (\S+):(\d+)$/.exec(packet) ?? [];
  if (from === undefined || subject === undefined) return undefined;
  return { from, subject, port: Number(port) };
}

/** The place that a call goes to, now or just before; undefined where the sandbox has none to dial. */
export function findDoor(
  { from, subject, port }: NamedCall,
  [before, now]: readonly [CloudState, CloudState],
) {
  const [host] = [now, before].flatMap((cloud) => hostsOf(cloud, subject, port));
  return host === undefined ? undefined : { from, host, port };
}

function hostsOf(cloud: CloudState, subject: string, port: number): string[] {
  const endpoints = listResources(cloud, privatelinkVpcEndpoint)
    .filter((endpoint) => isNamed(readText(endpoint, 'EndpointName'), subject))
    .flatMap((endpoint) => readObjects(endpoint, 'Zones'))
    .map((zone) => readText(zone, 'PrivateIpAddress'));
  if (endpoints.length > 0) return endpoints;
  const servers = findServers({ cloud }).filter((server) => server.port === port);
  const behind = groupBy(servers, ({ balancerId }) => balancerId);
  const places = [...behind.values()].map((all) => all.map(({ address }) => address).sort());
  // Which of several backends has the name the cloud does not say.
  return new Set(places.map((addresses) => addresses.join())).size > 1 ? [] : places.flat();
}

/** The end of a name tells generations of one endpoint apart: `agents-1a2b3c`. */
function isNamed(name: string, subject: string): boolean {
  return (
    name === subject ||
    (name.startsWith(subject) && /^-[\da-f]{6}$/.test(name.slice(subject.length)))
  );
}

/** The limit of dials at once. */
const MAX_AT_ONCE = 8;

/** Makes dials at once, in their order: each that nobody answers takes as long as it may. */
export async function dialAll<T>(dials: readonly (() => Promise<T>)[]): Promise<T[]> {
  const done: T[] = [];
  for (let i = 0; i < dials.length; i += MAX_AT_ONCE) {
    done.push(...(await Promise.all(dials.slice(i, i + MAX_AT_ONCE).map((dial) => dial()))));
  }
  return done;
}
