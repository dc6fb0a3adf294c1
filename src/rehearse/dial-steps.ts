import type { CloudState } from '../sandbox/cloud/cloud-state.js';
import { checkLinks } from './check.js';
import { dialAll, intentDials } from './dial-intents.js';
import { type CheckResult, type Probe, REACHABLE, type TimelineStep } from './report-schema.js';
import { DIAL_TIMEOUT_MS, TIMEOUT_MS } from './sandbox-options.js';
import type { Stage } from './stage/stage.js';
import type { Account } from './timeline/account.js';
import type { Lane } from './timeline/lanes.js';
import { isCutInDoubt } from './timeline/unseen.js';

/** The number of clients that fare differently to dial from at a step. */
const MAX_DIALS = 3;

/**
 * Dials each link and plugin, with real packets, at the steps where its route has changed, and each
 * intent where a step breaks or mends it: the sandbox goes back to the moment right after the step, and
 * ahead again in the end.
 *
 * @returns the steps with what was seen
 */
export async function probeSteps(stage: Stage, account: Account): Promise<TimelineStep[]> {
  const now = stage.cloudNow();
  const probed: TimelineStep[] = [];
  for (const [i, step] of account.steps.entries()) {
    // A stand-in for a group or list shows nothing of who is in it.
    const shown = account.lanesSeen.filter((lane) => !isCutInDoubt(account, lane, { from: i + 1 }));
    const cloud = account.passage.steps[i]?.cloud ?? now;
    const before = account.passage.steps[i - 1]?.cloud ?? account.passage.before;
    const dials = shown.flatMap((lane) =>
      changedClients(lane, i + 1).map((client) => () => {
        const state = client?.states[i + 1] ?? lane.states[i + 1];
        const from = { cloud, address: client?.address, vpcs: lane.clientVpcs?.[i + 1] };
        return probeLane(stage, lane, from, state === 'open');
      }),
    );
    const ofIntents = intentDials(stage, account.intents, i + 1, [before, cloud]);
    if (dials.length > 0) stage.goTo(cloud, undefined);
    const probes = (await dialAll<Probe | Probe[]>([...dials, ...ofIntents])).flat();
    probed.push(probes.length === 0 ? step : { ...step, probes });
  }
  stage.goTo(now, undefined);
  return probed;
}

/** Clients for whom a step opens or closes a way; undefined for the service, which calls plugins. */
function changedClients({ clients, states }: Lane, number: number) {
  const isChanged = (all: Lane['states']) => all[number] !== all[number - 1];
  if (clients.length === 0) return isChanged(states) ? [undefined] : [];
  return clients.filter((client) => isChanged(client.states)).slice(0, MAX_DIALS);
}

/** The client of a dial. */
interface Dialler {
  readonly cloud: CloudState;
  readonly address: string | undefined;
  readonly vpcs: readonly string[] | undefined;
}

async function probeLane(
  { sandbox, service }: Stage,
  lane: Lane,
  { cloud, address: from, vpcs }: Dialler,
  isOpen: boolean,
): Promise<Probe[]> {
  const dial = (timeoutMs: number) =>
    checkLinks(sandbox, new Map([[lane.stack, lane.target]]), {
      service,
      pluginPort: lane.port,
      auth: false,
      timeoutMs,
      cloud,
      clientOf: () => from,
      vpcsOf: () => vpcs,
    });
  const agrees = ({ seen }: CheckResult['links'][number]) => (seen === REACHABLE) === isOpen;
  const first = await dial(DIAL_TIMEOUT_MS);
  // A busy machine answers late: what surprises is dialled once more, with more time.
  const { links } = first.links.every(agrees) ? first : await dial(TIMEOUT_MS);
  return links.map((one) => ({
    link: lane.name,
    seen: one.seen,
    ...(from !== undefined && { from }),
    agrees: agrees(one),
  }));
}
