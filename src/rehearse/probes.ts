import { checkLinks, REACHABLE } from './check.js';
import type { TimelineStep } from './report-schema.js';
import type { Stage } from './stage/stage.js';
import { connectedServices, type Lane, type LinksByStack } from './timeline/lanes.js';
import type { Account, Passage } from './timeline/timeline.js';

type Probe = NonNullable<TimelineStep['probes']>[number];

/** Long enough for whoever answers on loopback; nobody else does. */
const TIMEOUT_MS = 2000;

/**
 * Dials each link and plugin, with real packets, at the steps where its route has changed: the sandbox
 * goes back to the moment right after the step, and ahead again in the end.
 *
 * @returns the steps with what was seen
 */
export async function probeSteps(
  stage: Stage,
  account: Account,
  { steps, links }: Passage,
): Promise<TimelineStep[]> {
  const now = stage.cloudNow();
  const probed: TimelineStep[] = [];
  for (const [i, step] of account.steps.entries()) {
    const moved = account.lanesSeen.filter(({ states }) => states[i] !== states[i + 1]);
    const { cloud } = steps[i] ?? {};
    const probes: Probe[] = [];
    for (const lane of cloud === undefined ? [] : moved) {
      probes.push(
        ...(await probeLane(stage, lane, {
          number: i + 1,
          cloud: cloud ?? now,
          links: links.before,
        })),
      );
    }
    probed.push(probes.length === 0 ? step : { ...step, probes });
  }
  stage.goTo(now, undefined);
  return probed;
}

interface Moment {
  readonly number: number;
  readonly cloud: Passage['before'];
  readonly links: LinksByStack;
}

/** From one client that is cut off at that moment, or else from one that is served. */
async function probeLane(
  stage: Stage,
  lane: Lane,
  { number, cloud, links }: Moment,
): Promise<Probe[]> {
  const cut = lane.clients.findIndex((_, i) => lane.perClient[i]?.[number] !== 'open');
  const client = Math.max(cut, 0);
  stage.goTo(cloud, lane.clients[client]);
  const { links: seen } = await checkLinks(stage.sandbox, onlyLane(lane, links), {
    service: stage.service,
    serviceIds: lane.kind === 'plugin' ? pluginOf(lane, links) : connectedServices(cloud),
    pluginPort: lane.port,
    auth: false,
    timeoutMs: TIMEOUT_MS,
  });
  const state = lane.perClient[client]?.[number] ?? lane.states[number];
  return seen.map((one) => ({
    link: lane.name,
    seen: one.seen,
    agrees: (one.seen === REACHABLE) === (state === 'open'),
  }));
}

/** Whatever addresses it has at that moment are the right ones. */
function onlyLane({ stack, name, kind }: Lane, links: LinksByStack): LinksByStack {
  const all = links.get(stack);
  if (all === undefined) return new Map();
  const own = kind === 'link' ? all.links.filter((link) => link.name === name) : [];
  const plugins =
    kind === 'plugin' ? (all.plugins ?? []).filter((plugin) => plugin.name === name) : [];
  const asTheyAre = own.map((link) => ({ ...link, expectedAddresses: [], expectedNetworks: [] }));
  return new Map([[stack, { ...all, links: asTheyAre, plugins }]]);
}

function pluginOf({ stack, name }: Lane, links: LinksByStack): ReadonlySet<string> {
  const plugins = links.get(stack)?.plugins ?? [];
  return new Set(
    plugins.filter((plugin) => plugin.name === name).map(({ serviceId }) => serviceId),
  );
}
