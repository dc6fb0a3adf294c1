import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js';
import protobuf from 'protobufjs';

type Message = Record<string, unknown>;

/** The service of that name in a proto text, in the form that grpc-js serves. */
export function serviceDefinition(proto: string, name: string): ServiceDefinition {
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
  const request = codecOf(method.resolvedRequestType);
  const response = codecOf(method.resolvedResponseType);
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

function codecOf(type: protobuf.Type | null) {
  if (type === null) throw new TypeError('A method of the plugin protocol has no message type.');
  return {
    serialize: (message: Message) => Buffer.from(type.encode(type.fromObject(message)).finish()),
    deserialize: (bytes: Buffer): Message =>
      type.toObject(type.decode(bytes), { defaults: true, longs: Number }),
  };
}
