import { randomInt } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import {
  type handleUnaryCall,
  type MethodDefinition,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import { CLOUD_PROVIDER } from '../../cloud/table/index.js';
import { computed, input, type Row } from '../../cloud/table/row.js';
import { type Listener, LOOPBACK, listen, StopStack } from '../listeners/listen.js';
import { CloudStandIn } from './cloud/cloud-stand-in.js';
import { type Call, PROVIDER_PROTO } from './protocol.js';
import { METHODS } from './provider-methods.js';
import {
  error,
  errorText,
  type Operations,
  type Outcome,
  type StandInProvider,
} from './stand-in-provider.js';
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

/**
 * Serves a provider on a free loopback port. Each connection has one of its own: Terraform makes one
 * for every configuration of a provider in every run, where it would otherwise start a process.
 */
export function serveProvider(makeProvider: () => StandInProvider): Promise<Listener> {
  const definition = serviceDefinition(PROVIDER_PROTO, 'tfplugin6.Provider');
  return listen(createServer((socket) => serveConnection(socket, definition, makeProvider())));
}

function serveConnection(
  socket: Socket,
  definition: ServiceDefinition,
  provider: StandInProvider,
): void {
  const server = new Server({
    'grpc.max_receive_message_length': -1,
    'grpc.max_send_message_length': -1,
  });
  server.addService(definition, providerService(provider));
  server.createConnectionInjector(ServerCredentials.createInsecure()).injectConnection(socket);
  // A run that was killed waits for nothing more.
  socket.once('close', () => {
    provider.stop();
    server.forceShutdown();
  });
}

function providerService(provider: StandInProvider): UntypedServiceImplementation {
  return Object.fromEntries(
    Object.entries(METHODS).map(([name, method]) => [
      name,
      unary((call) => method(provider, call)),
    ]),
  );
}

/** Turns whatever is thrown into a diagnostic: a crash would leave what the call made unrecorded. */
function unary(method: (call: Call) => object | Promise<object>): handleUnaryCall<Call, object> {
  return async ({ request }, respond) => {
    try {
      respond(null, await method(request));
    } catch (thrown) {
      const diagnostics = [error("The sandbox's provider failed", errorText(thrown))];
      respond(null, { ...keepState(request), diagnostics });
    }
  };
}

/** The state as it was, for answers that have one. */
function keepState(call: Call): object {
  return {
    new_state: call.current_state ?? call.prior_state,
    private: call.private ?? call.planned_private,
  };
}

type Message = Record<string, unknown>;

/** The service of that name in a proto text, in the form that grpc-js serves. */
function serviceDefinition(proto: string, name: string): ServiceDefinition {
  const { root } = protobuf.parse(proto, { keepCase: true });
  root.resolveAll();
  const service = root.lookupService(name);
  return Object.fromEntries(
    service.methodsArray.map((method) => [method.name, methodDefinition(name, method)]),
  );
}

function methodDefinition(
  service: string,
  method: protobuf.Method,
): MethodDefinition<Message, Message> {
  const request = makeCodec(method.resolvedRequestType);
  const response = makeCodec(method.resolvedResponseType);
  return {
    path: `/${service}/${method.name}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: request.serialize,
    requestDeserialize: request.deserialize,
    responseSerialize: response.serialize,
    responseDeserialize: response.deserialize,
  };
}

function makeCodec(type: protobuf.Type | null) {
  if (type === null) throw new TypeError('A method of the plugin protocol has no message type.');
  return {
    serialize: (message: Message) => Buffer.from(type.encode(type.fromObject(message)).finish()),
    deserialize: (bytes: Buffer): Message =>
      type.toObject(type.decode(bytes), { defaults: true, longs: Number }),
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
