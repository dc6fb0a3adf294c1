import { ConnectivityError } from '../codes/connectivity-error.js';
import type { Link } from '../link/link.js';
import { LOOPBACK } from '../sandbox/listeners/listen.js';
import { callPlugin } from '../sandbox/plugin/call-plugin.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { ServiceNames } from '../sandbox/surroundings.js';
import type { RunOptions } from '../verify/model/options.js';
import type { LinkResult } from '../verify/model/results.js';
import { verify } from '../verify/run/verify.js';
import { type CheckResult, REACHABLE } from './report-schema.js';
import type { LinksByStack } from './ways/link-way.js';

/** The time limit of a check on loopback. */
const TIMEOUT_MS = 10_000;

interface CheckOptions {
  readonly service: ServiceNames;
  /** Endpoint services with a connection that calls can take. */
  readonly serviceIds: ReadonlySet<string>;
  /** Finds the address that a link is called from; undefined for the sandbox's client. */
  readonly clientOf: (link: Link, stack: string) => string | undefined;
  /** Finds the VPCs in which a link's name is asked for; undefined for all with workloads. */
  readonly vpcsOf: (link: Link) => readonly string[] | undefined;
}

/** Checks the links that stacks name, and calls their private plugins, with real packets. */
export async function checkLinks(
  sandbox: Sandbox,
  stacks: LinksByStack,
  { service, serviceIds, clientOf, vpcsOf }: CheckOptions,
): Promise<CheckResult> {
  const options = { ...sandboxOptions(sandbox), timeoutMs: TIMEOUT_MS, probes: false };
  const seen = await Promise.all(
    [...stacks].map(async ([stack, { links: own, plugins = [] }]) => {
      const called = plugins.filter((plugin) => serviceIds.has(plugin.serviceId));
      const [checked, calls] = await Promise.all([
        Promise.all(
          own.map((link) => {
            const from = clientOf(link, stack);
            const client = from && { connectTo: sandbox.leads(from), ownAddresses: [from] };
            return verifyIn(sandbox, vpcsOf(link), { ...options, ...client, links: [link] });
          }),
        ),
        Promise.all(
          called.map(async ({ name, serviceId }) => {
            return { name, seen: await call(sandbox, service, serviceId) };
          }),
        ),
      ]);
      const links = checked.flat().map(({ name, verdict, stages }) => ({
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

/** @param vpcs those in which names are asked for; undefined for all with workloads */
async function verifyIn(
  sandbox: Sandbox,
  vpcs: readonly string[] | undefined,
  options: Parameters<typeof verify>[0],
): Promise<readonly LinkResult[]> {
  if (vpcs === undefined) return (await verify(options)).links;
  const names = await sandbox.startNames(vpcs);
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
): Promise<string> {
  const world = { cloud: cloud.state, faults: new Set<never>(), service };
  const plugin = { serviceId, userId: 'rehearsal' };
  try {
    await callPlugin(world, plugin, `127.0.0.1:${ports.backend}`);
    return REACHABLE;
  } catch (error) {
    if (error instanceof ConnectivityError) return error.code;
    throw error;
  }
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
    },
    caFile: value('CA_FILE'),
    dnsServer: value('DNS_SERVER'),
    compareResolvers: [value('COMPARE_RESOLVER')],
    ownAddresses: [value('OWN_ADDRESS')],
    connectTo: [value('CONNECT_TO')],
    ...(value('PROXY') !== '' && { proxy: value('PROXY') }),
  };
}
