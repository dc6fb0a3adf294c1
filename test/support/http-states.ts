import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StateServer } from './state-server.js';

export interface HttpStates extends StateServer {
  /** The states, by their path. */
  readonly states: ReadonlyMap<string, string>;
  readonly locks: ReadonlyMap<string, string>;
  /** True if the server takes no states; it always gives them. */
  refuseWrites: boolean;
  /** True if it leaves callers without an answer. */
  isSilent: boolean;
}

/** Terraform's http backend with locks, and with basic authentication. */
export async function startHttpStates(): Promise<HttpStates> {
  const states = new Map<string, string>();
  const locks = new Map<string, string>();
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}/states`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0] ?? '';
    if (result.isSilent) return;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    if (request.headers.authorization !== `Basic ${btoa('terraform:open')}`) {
      response.writeHead(401).end();
    } else if (request.method === 'LOCK') {
      const held = locks.get(path);
      if (held === undefined) locks.set(path, body);
      response.writeHead(held === undefined ? 200 : 423).end(held);
    } else if (request.method === 'UNLOCK') {
      locks.delete(path);
      response.end();
    } else if (request.method === 'POST') {
      if (!result.refuseWrites) states.set(path, body);
      response.writeHead(result.refuseWrites ? 403 : 200).end();
    } else if (request.method === 'DELETE') {
      states.delete(path);
      response.end();
    } else {
      const state = states.get(path);
      response.writeHead(state === undefined ? 404 : 200).end(state);
    }
  }

  const result: HttpStates = {
    states,
    locks,
    refuseWrites: false,
    isSilent: false,
    state: {
      backend: 'http',
      config: { address, lock_address: `${address}/lock`, unlock_address: `${address}/lock` },
    },
    env: { TF_HTTP_USERNAME: 'terraform', TF_HTTP_PASSWORD: 'open' },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return result;
}
