import { ConnectivityError } from '../codes/connectivity-error.js';
import type { Link } from '../link/link.js';
import { groupBy } from '../lists/group-by.js';
import type { CloudState } from '../sandbox/cloud/cloud-state.js';
import { LOOPBACK } from '../sandbox/listeners/listen.js';
import { callPlugin } from '../sandbox/plugin/call-plugin.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { ServiceNames } from '../sandbox/surroundings.js';
import type { LinkResult } from '../verify/model/results.js';
import { verify } from '../verify/run/verify.js';
import { type CheckResult, REACHABLE } from './report-schema.js';
import { sandboxOptions, TIMEOUT_MS } from './sandbox-options.js';
import type { LinksByStack } from './ways/link-way.js';

interface CheckOptions {
  readonly service: ServiceNames;
  /** Endpoint services with a connection that calls can take. @default - all */
  readonly serviceIds?: ReadonlySet<string>;
  /** The listener's port of such calls. @default - the lowest */
  readonly pluginPort?: number | undefined;
  /** False stops before a credential is used. @default true */
  readonly auth?: boolean;
  readonly timeoutMs?: number;
  /** Finds the address that a link is called from; undefined for the sandbox's client. */
  readonly clientOf?: (link: Link, stack: string) => string | undefined;
  /** The state of the cloud that such a client's dials meet. @default - that of now */
  readonly cloud?: CloudState;
  /** Finds the VPCs in which a link's name is asked for; undefined for all with workloads. */
  readonly vpcsOf?: (link: Link) => readonly string[] | undefined;
}

/** Checks the links that stacks name, and calls their private plugins, with real packets. */
export async function checkLinks(
  sandbox: Sandbox,
  stacks: LinksByStack,
  checkOptions: CheckOptions,
): Promise<CheckResult> {
  const { auth = true, timeoutMs = TIMEOUT_MS, service, serviceIds, pluginPort } = checkOptions;
  const { clientOf = () => undefined, vpcsOf = () => undefined } = checkOptions;
  const { cloud = sandbox.cloud.state } = checkOptions;
  const options = { ...sandboxOptions(sandbox), auth, timeoutMs, probes: false };
  const seen = await Promise.all(
    [...stacks].map(async ([stack, { links: own, plugins = [] }]) => {
      const called = plugins.filter((plugin) => serviceIds?.has(plugin.serviceId) ?? true);
      const [checked, calls] = await Promise.all([
        Promise.all(
          alikeCalled(own, (link) => [vpcsOf(link)?.join() ?? '', clientOf(link, stack) ?? '']).map(
            ([[vpcs, from], links]) => {
              const client =
                from === '' ? {} : { connectTo: sandbox.leads(cloud, from), ownAddresses: [from] };
              return verifyIn(sandbox, vpcs, { ...options, ...client, links });
            },
          ),
        ),
        Promise.all(
          called.map(async ({ name, serviceId }) => {
            return { name, seen: await call(sandbox, service, serviceId, pluginPort) };
          }),
        ),
      ]);
      const found = new Map(checked.flat().map((one) => [one.name, one]));
      const results = own.flatMap(({ name }) => found.get(name) ?? []);
      const links = results.map(({ name, verdict, stages }) => ({
        name,
        seen: stages.find(({ status }) => status === 'failed')?.code ?? verdict,
      }));
      return [...links, ...calls].map((one) => ({ stack, ...one }));
    }),
  );
  const links = seen.flat();
  if (links.length === 0) return { status: 'skipped', links };
  const isGood = links.every((link) => link.seen === REACHABLE);
  return { status: isGood ? 'passed' : 'failed', links };
}

/** The VPCs in which a link's name is asked for, and the address that it is called from. */
type Caller = readonly [vpcs: string, from: string];

function alikeCalled(links: readonly Link[], callerOf: (link: Link) => Caller) {
  const called = links.map((link) => ({ link, caller: callerOf(link) }));
  return [...groupBy(called, ({ caller }) => caller.join(' ')).values()].map(
    (alike) => [alike[0].caller, alike.map(({ link }) => link)] as const,
  );
}

/** @param vpcs identifiers with commas between them; empty for all with workloads */
async function verifyIn(
  sandbox: Sandbox,
  vpcs: string,
  options: Parameters<typeof verify>[0],
): Promise<readonly LinkResult[]> {
  if (vpcs === '') return (await verify(options)).links;
  const names = await sandbox.startNames(vpcs.split(','));
  try {
    const dnsServer = `${LOOPBACK}:${names.port}`;
    return (await verify({ ...options, dnsServer })).links;
  } finally {
    await names.stop();
  }
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
