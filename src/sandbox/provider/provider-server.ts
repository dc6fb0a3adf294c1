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
import { type Listener, listen } from '../listeners/listen.js';
import { type ApplyCall, PROVIDER_PROTO, type ReadCall } from './protocol.js';
import { ProviderMethods } from './provider-methods.js';
import { error, errorText, type StandInProvider } from './stand-in-provider.js';

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

type Answer = object | Promise<object>;

/** The protocol's provider service as grpc-js serves it. */
function providerService(provider: StandInProvider): UntypedServiceImplementation {
  const methods = new ProviderMethods(provider);
  return {
    GetProviderSchema: unary(() => methods.schema()),
    ValidateProviderConfig: unary(methods.validateProvider.bind(methods)),
    ConfigureProvider: unary(methods.configure.bind(methods)),
    ValidateResourceConfig: unary(methods.validate.bind(methods, 'resource')),
    ValidateDataResourceConfig: unary(methods.validate.bind(methods, 'data')),
    UpgradeResourceState: unary(methods.upgrade.bind(methods)),
    ReadResource: unary(methods.read.bind(methods), keepCurrent),
    PlanResourceChange: unary(methods.plan.bind(methods)),
    ApplyResourceChange: unary(methods.apply.bind(methods), keepPrior),
    ImportResourceState: unary(methods.import.bind(methods)),
    ReadDataSource: unary(methods.readData.bind(methods)),
    StopProvider: unary(() => methods.stop()),
  };
}

/**
 * Whatever is thrown becomes a diagnostic: a crash would leave what the call made unrecorded.
 *
 * @param onError what else to answer then
 */
function unary<Call>(
  method: (call: Call) => Answer,
  onError: (call: Call) => object = () => ({}),
): handleUnaryCall<Call, object> {
  return async ({ request }, respond) => {
    try {
      respond(null, await method(request));
    } catch (thrown) {
      const detail = errorText(thrown);
      const diagnostics = [error("The sandbox's provider failed", detail)];
      respond(null, { ...onError(request), diagnostics });
    }
  };
}

function keepCurrent(call: ReadCall): object {
  return { new_state: call.current_state, private: call.private };
}

function keepPrior(call: ApplyCall): object {
  return { new_state: call.prior_state, private: call.planned_private };
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
