import { randomInt } from 'node:crypto';
import { CLOUD_PROVIDER } from '../../cloud/table/index.js';
import { computed, input, type Row } from '../../cloud/table/row.js';
import { type Listener, LOOPBACK, StopStack } from '../listeners/listen.js';
import { CloudStandIn } from './cloud/cloud-stand-in.js';
import { serveProvider } from './provider-server.js';
import type { Operations, Outcome, StandInProvider } from './stand-in-provider.js';
import type { ObjectValue } from './value.js';

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
    [CLOUD_PROVIDER.source, parts.keep(await serveProvider(() => new CloudStandIn(cloud)))],
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

function nullProvider(): StandInProvider {
  return {
    configuration: {},
    rows: [nullRow],
    configure: () => [],
    operations: () => nullOperations,
    stop: () => undefined,
  };
}

/** The resource that has no cloud and exists for its triggers and provisioners. */
const nullRow = {
  kind: 'resource',
  type: 'null_resource',
  version: 0,
  importId: [],
  attributes: {
    id: computed('string'),
    triggers: input('map(string)', { replaces: true }),
  },
} as const satisfies Row;

const IDS = 2 ** 48 - 1;

/** The operations of a resource that is nothing but its state. */
const nullOperations: Operations = {
  read: (state) => keep(state),
  create: (planned) => keep({ ...planned, id: String(randomInt(1, IDS)) }),
  update: (_prior, planned) => keep(planned),
  delete: () => keep(null),
};

async function keep(state: ObjectValue | null): Promise<Outcome> {
  return { state, diagnostics: [] };
}
