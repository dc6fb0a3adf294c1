import { ConnectivityError } from '../codes/connectivity-error.js';
import type { ServiceNames } from '../sandbox/internet.js';
import { callPlugin } from '../sandbox/plugin/call-plugin.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { RunOptions } from '../verify/index.js';
import { verify } from '../verify/index.js';
import type { CheckResult } from './report-schema.js';
import type { LinksByStack } from './timeline/lanes.js';

/** Long enough for whoever answers on loopback. */
const TIMEOUT_MS = 10_000;
const LOOPBACK = '127.0.0.1';

interface CheckOptions {
  readonly service: ServiceNames;
  /** Endpoint services with a connection that calls can take. */
  readonly serviceIds: ReadonlySet<string>;
  /** The listener's port of such calls. @default - the lowest */
  readonly pluginPort?: number | undefined;
  /** False stops before a credential is used. @default true */
  readonly auth?: boolean;
  readonly timeoutMs?: number;
}

/** How the environment of a sandbox makes the check. */
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
  const seen = await Promise.all(
    [...stacks].map(async ([stack, { links, plugins = [] }]) => {
      const called = plugins.filter(({ serviceId }) => serviceIds.has(serviceId));
      const [checked, calls] = await Promise.all([
        links.length === 0
          ? []
          : verify({ ...sandboxOptions(sandbox), links, auth, timeoutMs, probes: false }).then(
              (verification) => verification.links,
            ),
        Promise.all(
          called.map(({ serviceId }) => callOf(sandbox, service, { serviceId, pluginPort })),
        ),
      ]);
      return [
        ...checked.map(({ name, verdict, stages }) => ({
          stack,
          name,
          seen: stages.find(({ status }) => status === 'failed')?.code ?? verdict,
        })),
        ...called.map(({ name }, i) => ({ stack, name, seen: calls[i] ?? '' })),
      ];
    }),
  );
  const links = seen.flat();
  if (links.length === 0) return { status: 'skipped', links };
  const isGood = links.every((link) => link.seen === REACHABLE);
  return { status: isGood ? 'passed' : 'failed', links };
}

export const REACHABLE = 'reachable';

async function callOf(
  { cloud, ports }: Sandbox,
  service: ServiceNames,
  { serviceId, pluginPort: port }: { serviceId: string; pluginPort: number | undefined },
): Promise<string> {
  const world = { cloud: cloud.state, faults: new Set<never>(), service };
  try {
    const call = { serviceId, userId: 'rehearsal', ...(port !== undefined && { port }) };
    await callPlugin(world, call, `${LOOPBACK}:${ports.backend}`);
    return REACHABLE;
  } catch (error) {
    if (error instanceof ConnectivityError) return error.code;
    throw error;
  }
}
