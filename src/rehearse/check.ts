import { ConnectivityError } from '../codes/connectivity-error.js';
import type { Link } from '../link/link.js';
import { groupBy } from '../lists/group-by.js';
import { LOOPBACK } from '../sandbox/listeners/listen.js';
import { callPlugin } from '../sandbox/plugin/call-plugin.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { ServiceNames } from '../sandbox/surroundings.js';
import type { RunOptions } from '../verify/model/options.js';
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
  /** The client that links are called from, with where its dials lead. @default - the sandbox's */
  readonly client?: Pick<RunOptions, 'connectTo' | 'ownAddresses'> | undefined;
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
  const { client, vpcsOf = () => undefined } = checkOptions;
  const options = { ...sandboxOptions(sandbox), ...client, auth, timeoutMs, probes: false };
  const seen = await Promise.all(
    [...stacks].map(async ([stack, { links: own, plugins = [] }]) => {
      const called = plugins.filter((plugin) => serviceIds?.has(plugin.serviceId) ?? true);
      const [checked, calls] = await Promise.all([
        Promise.all(
          [...groupBy(own, (link) => vpcsOf(link)?.join() ?? '')].map(([vpcs, links]) =>
            verifyIn(sandbox, vpcs, { ...options, links }),
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
      return [...results.map(resultOf), ...calls].map((one) => ({ stack, ...one }));
    }),
  );
  const links = seen.flat();
  if (links.length === 0) return { status: 'skipped', links };
  const isGood = links.every((link) => link.seen === REACHABLE);
  return { status: isGood ? 'passed' : 'failed', links };
}

function resultOf({ name, verdict, stages }: LinkResult) {
  return { name, seen: stages.find(({ status }) => status === 'failed')?.code ?? verdict };
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
