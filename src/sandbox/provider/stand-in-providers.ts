import { CLOUD_PROVIDER } from '../../cloud/table/index.js';
import { type Listener, LOOPBACK, StopStack } from '../listeners/listen.js';
import { CloudProvider } from './cloud/cloud-provider.js';
import { nullProvider } from './null-provider.js';
import { serveProvider } from './provider-server.js';

/** Terraform and OpenTofu complete a provider's address each with the host of its own registry. */
const REGISTRIES = ['registry.terraform.io', 'registry.opentofu.org'] as const;

const PLUGIN_PROTOCOL = 6;

/** Providers that Terraform attaches to, in place of starting programs. */
export interface StandInProviders {
  /** For Terraform's environment. */
  readonly env: { readonly TF_REATTACH_PROVIDERS: string };
  stop(): Promise<void>;
}

/**
 * Serves the stand-in providers from this process.
 *
 * @param cloud the `VOLCENGINE_` variables that fill in what a provider's block leaves out
 */
export async function startProviders(cloud: NodeJS.ProcessEnv): Promise<StandInProviders> {
  const parts = new StopStack();
  const served = [
    [CLOUD_PROVIDER.source, parts.keep(await serveProvider(() => new CloudProvider(cloud)))],
    ['hashicorp/null', parts.keep(await serveProvider(nullProvider))],
  ] as const;
  const addresses = served.flatMap(([source, { port }]) =>
    REGISTRIES.map((registry) => [`${registry}/${source}`, describeReattachment(port)]),
  );
  return {
    env: { TF_REATTACH_PROVIDERS: JSON.stringify(Object.fromEntries(addresses)) },
    stop: () => parts.stop(),
  };
}

/** `Test` keeps Terraform from ending the process with its run. */
function describeReattachment(port: Listener['port']) {
  return {
    Protocol: 'grpc',
    ProtocolVersion: PLUGIN_PROTOCOL,
    Pid: process.pid,
    Test: true,
    Addr: { Network: 'tcp', String: `${LOOPBACK}:${port}` },
  };
}
