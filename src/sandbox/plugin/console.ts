import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import type { Cloud } from '../cloud/cloud.js';
import type { ListenerKind } from '../faults/fault.js';
import { backendListener } from '../faults/option-faults.js';
import type { JsonObject } from '../json.js';
import { foreignPart, readJson, sendJson } from '../listeners/json-over-http.js';
import { type Listener, LOOPBACK, listen, type StopStack } from '../listeners/listen.js';
import type { World } from '../network/world.js';
import { callPlugin, type PluginCall, USER_ID_HEADER } from './call-plugin.js';
import { connectPlugin } from './connections.js';
import { CONSOLE_PATHS } from './console-client.js';

interface ConsoleFacts {
  readonly cloud: Cloud;
  readonly world: () => World;
  /** `address:port` of the sandbox's own backend, or of what takes its place under a fault. */
  readonly backend: () => string;
}

type Action = (facts: ConsoleFacts, body: JsonObject) => unknown;

const ACTIONS: { readonly [path: string]: Action } = {
  [CONSOLE_PATHS.privateConnections]: ({ cloud, world }, { serviceId }) =>
    connectPlugin(cloud, world, String(serviceId)),
  [CONSOLE_PATHS.pluginCalls]: ({ world, backend }, body) =>
    callPlugin(world(), body as unknown as PluginCall, backend()),
};

/** Serves what people do on the service's side, over HTTP on a free loopback port. */
function startConsole(facts: ConsoleFacts): Promise<Listener> {
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
    sendJson(response, 403, { code: 'usage.invalid', message: foreign });
    return;
  }
  if (!action || request.method !== 'POST') {
    sendJson(response, 404, { code: 'usage.invalid', message: 'the console has no such page' });
    return;
  }
  try {
    sendJson(response, 200, await action(facts, await readJson(request)));
  } catch (error) {
    const known = error instanceof ConnectivityError;
    sendJson(response, known ? 409 : 500, {
      code: known ? error.code : 'internal.bug',
      message: known ? error.message : String(error),
    });
  }
}

/** Starts what calls plugins, and a backend that takes the calls where no other is named. */
export async function startPluginSide(
  cloud: Cloud,
  world: () => World,
  ports: Readonly<Record<ListenerKind, number>>,
  parts: StopStack,
): Promise<{ readonly console: Listener; readonly backend: Listener }> {
  const backend = parts.keep(await startEchoBackend());
  const port = () => {
    const faulty = backendListener(world().faults);
    return faulty === undefined ? backend.port : ports[faulty];
  };
  const facts = { cloud, world, backend: () => `${LOOPBACK}:${port()}` };
  return { backend, console: parts.keep(await startConsole(facts)) };
}

/** A plugin's backend that answers who it was called for, and what was called. */
function startEchoBackend(): Promise<Listener> {
  return listen(
    createServer((request, response) => {
      request.resume();
      const userId = request.headers[USER_ID_HEADER.toLowerCase()] ?? null;
      const { method = '', url = '' } = request;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`${JSON.stringify({ method, path: url, user_id: userId })}\n`);
    }),
  );
}
