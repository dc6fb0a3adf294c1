import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import type { Cloud } from '../cloud/cloud.js';
import type { JsonObject } from '../json.js';
import { type Listener, listen } from '../listen.js';
import { readJson } from '../read-json.js';
import { foreignPart } from '../refuse-foreign.js';
import type { World } from '../world.js';
import { callPlugin } from './call-plugin.js';
import { connectPlugin } from './connect-plugin.js';
import type { PluginCall } from './plugin-call.js';

export interface ConsoleFacts {
  readonly cloud: Cloud;
  readonly world: () => World;
  /** `address:port` of the sandbox's own backend. */
  readonly backend: string;
}

export const PRIVATE_CONNECTIONS = '/private-connections';
export const PLUGIN_CALLS = '/plugin-calls';

type Action = (facts: ConsoleFacts, body: JsonObject) => unknown;

const ACTIONS: { readonly [path: string]: Action } = {
  [PRIVATE_CONNECTIONS]: ({ cloud, world }, { serviceId }) =>
    connectPlugin(cloud, world, String(serviceId)),
  [PLUGIN_CALLS]: ({ world, backend }, body) =>
    callPlugin(world(), body as unknown as PluginCall, backend),
};

/** Serves what people do on the service's side, over HTTP on a free loopback port. */
export function startConsole(facts: ConsoleFacts): Promise<Listener> {
  return listen(
    createServer((request, response) => {
      void answer(facts, request, response);
    }),
  );
}

async function answer(
  facts: ConsoleFacts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { url = '' } = request;
  const action = Object.hasOwn(ACTIONS, url) ? ACTIONS[url] : undefined;
  const foreign = foreignPart(request);
  if (foreign !== undefined) {
    send(response, 403, { code: 'usage.invalid', message: foreign });
    return;
  }
  if (!action || request.method !== 'POST') {
    send(response, 404, { code: 'usage.invalid', message: 'the console has no such page' });
    return;
  }
  try {
    send(response, 200, await action(facts, await readJson(request)));
  } catch (error) {
    const known = error instanceof ConnectivityError;
    send(response, known ? 409 : 500, {
      code: known ? error.code : 'internal.bug',
      message: known ? error.message : String(error),
    });
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
