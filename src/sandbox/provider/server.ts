import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { Listener } from './handshake.js';
import { log } from './log.js';
import { CONTROLLER_PROTO, PROVIDER_PROTO } from './proto.js';
import { providerService } from './provider-service.js';
import { serviceDefinition } from './service-definition.js';
import type { StandInProvider } from './stand-in-provider.js';

const HARD_EXIT_MS = 300;
const ORPHAN_CHECK_MS = 500;
/** The kernel cuts a longer socket path off. */
const LONGEST_SOCKET_PATH = 100;

/** The three PEM texts of mutual TLS. */
export interface Certificates {
  readonly cert: string;
  readonly key: string;
  /** The one client that may connect. */
  readonly client: string;
}

/** Serves a provider until Terraform ends it, or is gone itself. */
export async function serve(
  provider: StandInProvider,
  { cert, key, client }: Certificates,
): Promise<Listener> {
  const server = new Server({
    'grpc.max_receive_message_length': -1,
    'grpc.max_send_message_length': -1,
  });
  const end = () => {
    server.tryShutdown(() => process.exit(0));
    setTimeout(() => process.exit(0), HARD_EXIT_MS);
  };
  server.addService(
    serviceDefinition(PROVIDER_PROTO, 'tfplugin6.Provider'),
    providerService(provider),
  );
  server.addService(serviceDefinition(CONTROLLER_PROTO, 'plugin.GRPCController'), {
    Shutdown: (_call: unknown, respond: (error: null, answer: object) => void) => {
      respond(null, {});
      end();
    },
  });
  const credentials = ServerCredentials.createSsl(
    Buffer.from(client),
    [{ cert_chain: Buffer.from(cert), private_key: Buffer.from(key) }],
    true,
  );
  endWhenOrphaned();
  return listen(server, credentials);
}

async function listen(server: Server, credentials: ServerCredentials): Promise<Listener> {
  const path = socketPath();
  if (path !== undefined) {
    await bind(server, `unix:${path}`, credentials);
    return { network: 'unix', address: path };
  }
  const port = await bind(server, '127.0.0.1:0', credentials);
  return { network: 'tcp', address: `127.0.0.1:${port}` };
}

function bind(server: Server, address: string, credentials: ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, port) =>
      error ? reject(error) : resolve(port),
    );
  });
}

/** A path in a folder of its own that goes with the process; undefined where a socket cannot be. */
function socketPath(): string | undefined {
  const probe = join(tmpdir(), 'plugin-XXXXXX', 's');
  if (process.platform === 'win32' || Buffer.byteLength(probe) > LONGEST_SOCKET_PATH)
    return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'plugin-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 's');
}

function endWhenOrphaned(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid === parent) return;
    log('warn', 'Terraform is gone');
    process.exit(1);
  }, ORPHAN_CHECK_MS).unref();
}
