import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { CloudProvider } from '../../src/sandbox/provider/cloud-provider.js';
import { nullProvider } from '../../src/sandbox/provider/null-provider.js';
import { PROVIDER_PROTO } from '../../src/sandbox/provider/proto.js';
import { providerService } from '../../src/sandbox/provider/provider-service.js';
import { serviceDefinition } from '../../src/sandbox/provider/service-definition.js';
import type { StandInProvider } from '../../src/sandbox/provider/stand-in-provider.js';

export interface ReattachedProviders {
  /** For Terraform's environment: it attaches to these instead of starting processes. */
  readonly env: Readonly<Record<string, string>>;
  stop(): void;
}

/** Serves the stand-in providers from this process. */
export async function reattachedProviders(
  env: Readonly<Record<string, string>>,
): Promise<ReattachedProviders> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-'));
  const cloud = await serve(new CloudProvider({ ...env }), join(folder, 'cloud'));
  const none = await serve(nullProvider(), join(folder, 'null'));
  return {
    env: {
      TF_REATTACH_PROVIDERS: JSON.stringify({
        'registry.terraform.io/volcengine/volcenginecc': cloud.reattach,
        'registry.terraform.io/hashicorp/null': none.reattach,
      }),
    },
    stop: () => {
      cloud.server.forceShutdown();
      none.server.forceShutdown();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function serve(provider: StandInProvider, socket: string) {
  const server = new Server();
  server.addService(
    serviceDefinition(PROVIDER_PROTO, 'tfplugin6.Provider'),
    providerService(provider),
  );
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix:${socket}`, ServerCredentials.createInsecure(), (error) =>
      error ? reject(error) : resolve(),
    );
  });
  const reattach = {
    Protocol: 'grpc',
    ProtocolVersion: 6,
    Pid: process.pid,
    Test: true,
    Addr: { Network: 'unix', String: socket },
  };
  return { server, reattach };
}
