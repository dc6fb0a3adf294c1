import { ConnectivityError } from '../codes/connectivity-error.js';
import { callPlugin } from '../sandbox/plugin/call-plugin.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { ServiceNames } from '../sandbox/surroundings.js';
import type { RunOptions } from '../verify/model/options.js';
import { verify } from '../verify/run/verify.js';
import { type CheckResult, REACHABLE, type TimelineStep } from './report-schema.js';
import type { Stage } from './stage/stage.js';
import type { Account } from './timeline/account.js';
import type { Lane, LinksByStack } from './timeline/lanes.js';

/** Long enough for whoever answers on loopback. */
const TIMEOUT_MS = 10_000;

interface CheckOptions {
  readonly service: ServiceNames;
  /** Endpoint services with a connection that calls can take. @default - all */
  readonly serviceIds?: ReadonlySet<string>;
  /** The listener's port of such calls. @default - the lowest */
  readonly pluginPort?: number | undefined;
  /** False stops before a credential is used. @default true */
  readonly auth?: boolean;
  readonly timeoutMs?: number;
}

/** Returns how the environment of a sandbox makes the check. */
export function sandboxOptions({ env }: Sandbox): RunOptions {
  const value = (name: string) => env[`SECURE_CONNECTIVITY_${name}`] ?? '';
  return {
    credentials: {
      enterpriseId: value('ENTERPRISE_ID'),
      appId: value('APP_ID'),
      keyId: value('KEY_ID'),
      privateKeyFile: value('PRIVATE_KEY_FILE'),
      sessionName: 'check',
    },
    caFile: value('CA_FILE'),
    dnsServer: value('DNS_SERVER'),
    compareResolvers: [value('COMPARE_RESOLVER')],
    ownAddresses: [value('OWN_ADDRESS')],
    connectTo: [value('CONNECT_TO')],
    ...(value('PROXY') !== '' && { proxy: value('PROXY') }),
  };
}

/** Checks the links that stacks name, and calls their private plugins, with real packets. */
export async function checkLinks(
  sandbox: Sandbox,
  stacks: LinksByStack,
  { auth = true, timeoutMs = TIMEOUT_MS, service, serviceIds, pluginPort }: CheckOptions,
): Promise<CheckResult> {
  const options = { ...sandboxOptions(sandbox), auth, timeoutMs, probes: false };
  const seen = await Promise.all(
    [...stacks].map(async ([stack, { links: own, plugins = [] }]) => {
      const called = plugins.filter((plugin) => serviceIds?.has(plugin.serviceId) ?? true);
      const [checked, calls] = await Promise.all([
        own.length === 0 ? undefined : verify({ ...options, links: own }),
        Promise.all(
          called.map(async ({ name, serviceId }) => {
            return { name, seen: await call(sandbox, service, serviceId, pluginPort) };
          }),
        ),
      ]);
      const results = (checked?.links ?? []).map(({ name, verdict, stages }) => {
        return { name, seen: stages.find(({ status }) => status === 'failed')?.code ?? verdict };
      });
      return [...results, ...calls].map((one) => ({ stack, ...one }));
    }),
  );
  const links = seen.flat();
  if (links.length === 0) return { status: 'skipped', links };
  const isGood = links.every((link) => link.seen === REACHABLE);
  return { status: isGood ? 'passed' : 'failed', links };
}

async function call(
  { cloud, ports }: Sandbox,
  service: ServiceNames,
  serviceId: string,
  port: number | undefined,
): Promise<string> {
  const world = { cloud: cloud.state, faults: new Set<never>(), service };
  const plugin = { serviceId, userId: 'rehearsal', ...(port !== undefined && { port }) };
  try {
    await callPlugin(world, plugin, `127.0.0.1:${ports.backend}`);
    return REACHABLE;
  } catch (error) {
    if (error instanceof ConnectivityError) return error.code;
    throw error;
  }
}

type Probe = NonNullable<TimelineStep['probes']>[number];

/** Long enough for whoever answers on loopback; nobody else does. */
const DIAL_TIMEOUT_MS = 1000;
/** So many clients that fare differently are dialled from at a step. */
const MAX_DIALS = 3;

/**
 * Dials each link and plugin, with real packets, at the steps where its route has changed: the sandbox
 * goes back to the moment right after the step, and ahead again in the end.
 *
 * @returns the steps with what was seen
 */
export async function probeSteps(stage: Stage, account: Account): Promise<TimelineStep[]> {
  const now = stage.cloudNow();
  const probed: TimelineStep[] = [];
  for (const [i, step] of account.steps.entries()) {
    const cloud = account.passage.steps[i]?.cloud ?? now;
    const probes: Probe[] = [];
    for (const lane of account.lanesSeen) {
      for (const client of changedClients(lane, i + 1)) {
        stage.goTo(cloud, client?.address);
        const state = client?.states[i + 1] ?? lane.states[i + 1];
        probes.push(...(await probeLane(stage, lane, client?.address, state === 'open')));
      }
    }
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

async function probeLane(
  { sandbox, service }: Stage,
  lane: Lane,
  from: string | undefined,
  isOpen: boolean,
): Promise<Probe[]> {
  const dial = (timeoutMs: number) =>
    checkLinks(sandbox, new Map([[lane.stack, lane.target]]), {
      service,
      pluginPort: lane.port,
      auth: false,
      timeoutMs,
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
