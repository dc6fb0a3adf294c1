import { createServer, type Socket } from 'node:net';
import { Server, ServerCredentials, type ServiceDefinition } from '@grpc/grpc-js';
import { type Listener, listen } from '../listen.js';
import { PROVIDER_PROTO } from './proto.js';
import { providerService } from './provider-service.js';
import { serviceDefinition } from './service-definition.js';
import type { StandInProvider } from './stand-in-provider.js';

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
