import { createServer, type IncomingMessage } from 'node:http';
import type { Code } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { foreignCaller } from '../../net/host-name.js';
import type { Cloud } from '../cloud/cloud.js';
import { backendPort } from '../faults/index.js';
import type { JsonObject } from '../json.js';
import { foreignPart, readJson, serveJson } from '../listeners/json-over-http.js';
import { type Listener, LOOPBACK, listen, type StopStack } from '../listeners/listen.js';
import type { ServicePorts } from '../listeners/service-ports.js';
import type { World } from '../network/world.js';
import { callPlugin, type PluginCall, USER_ID_HEADER } from './call-plugin.js';
import { connectPlugin } from './connections.js';
import { CONSOLE_PATHS } from './console-client.js';

type Actions = { readonly [path: string]: (body: JsonObject) => unknown };

async function answer(actions: Actions, request: IncomingMessage) {
  const { url = '' } = request;
  const action = Object.hasOwn(actions, url) ? actions[url] : undefined;
  const foreign = foreignPart(request);
  if (foreign !== undefined) return refusal(403, 'usage.invalid', foreign);
  if (!action || request.method !== 'POST') {
    return refusal(404, 'usage.invalid', 'the console has no such page');
  }
  try {
    return { status: 200, body: await action(await readJson(request)) };
  } catch (error) {
    if (error instanceof ConnectivityError) return refusal(409, error.code, error.message);
    return refusal(500, 'internal.bug', String(error));
  }
}

function refusal(status: number, code: Code, message: string) {
  return { status, body: { code, message } };
}

/** Starts what calls plugins, and a backend that takes the calls where no other is named. */
export async function startPluginSide(
  cloud: Cloud,
  world: () => World,
  ports: ServicePorts,
  parts: StopStack,
) {
  const backend = parts.keep(await startEchoBackend());
  const port = () => backendPort(world().faults, ports, backend.port);
  const actions: Actions = {
    [CONSOLE_PATHS.privateConnections]: ({ serviceId }) =>
      connectPlugin(cloud, world, String(serviceId)),
    [CONSOLE_PATHS.pluginCalls]: (body) =>
      callPlugin(world(), body as unknown as PluginCall, `${LOOPBACK}:${port()}`),
  };
  return {
    backend,
    port,
    console: parts.keep(await serveJson((request) => answer(actions, request))),
  };
}

/** Hosts that the service calls: addresses, and names of private connections. A name of a web page is neither. */
const CALLED_HOST = /^(?:\d+\.){3}\d+(?::\d+)?$|^[\w.-]+\.privatelink\.volces\.com$/;

/** A plugin's backend that answers who it was called for, and what was called. */
function startEchoBackend(): Promise<Listener> {
  return listen(
    createServer((request, response) => {
      request.resume();
      const userId = request.headers[USER_ID_HEADER.toLowerCase()] ?? null;
      const { method = '', url = '' } = request;
      const { host = '', origin } = request.headers;
      const foreign = foreignCaller({ host: CALLED_HOST.test(host) ? LOOPBACK : host, origin });
      const isOurs = foreign === undefined;
      const body = isOurs ? { method, path: url, user_id: userId } : { message: foreign };
      response.writeHead(isOurs ? 200 : 403, { 'content-type': 'application/json' });
      response.end(`${JSON.stringify(body)}\n`);
    }),
  );
}
