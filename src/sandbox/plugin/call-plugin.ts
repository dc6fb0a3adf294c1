import type { IncomingMessage } from 'node:http';
import { privatelinkEndpointService } from '../../cloud/table/privatelink.js';
import type { HttpAnswer } from '../../cloud-control/transport.js';
import { ConnectivityError, usageError } from '../../codes/connectivity-error.js';
import { findResource, listResources } from '../cloud/cloud-state.js';
import { readText } from '../json.js';
import { readBody, sendRequest } from '../listeners/json-over-http.js';
import { workloadAddress } from '../network/places.js';
import { fixedIpCaller, routeIn, type World } from '../network/world.js';
import { newLogId } from '../service/endpoint.js';
import type { PluginAnswer } from '../service/stores.js';
import { connectionsTo, pluginRoute } from './connections.js';

/** A call of a plugin, as the service makes it. */
export interface PluginCall {
  /** The endpoint service of the private connection; without it the call comes over the internet. */
  readonly serviceId?: string;
  /** The address that a call over the internet comes from. */
  readonly from?: string;
  /** The address that a call over the internet goes to. @default - the workload's address */
  readonly to?: string;
  /** The listener's port, or over the internet the backend's. @default - the lowest listener; 443 */
  readonly port?: number;
  /** The `user_id` of the chat: goes to the backend unchecked and unsigned. */
  readonly userId: string;
  /** @default "/" */
  readonly path?: string;
  /** Sent by POST; without it the call is a GET. */
  readonly body?: string;
  /** The loopback address of the process in the backend's place. @default - the sandbox's own */
  readonly backend?: string;
}

/** The header that the service sets over whatever the chat's caller sends; it is not signed. */
export const USER_ID_HEADER = 'X-Aiplugin-Connector-Identifier';

const HTTPS_PORT = 443;
const PATIENCE_MS = 10_000;

/**
 * Calls a plugin's backend as the service does, where the world lets the call through. Only the dial
 * is led elsewhere: to a process on loopback in the backend's place. What comes over loopback has
 * no other address than loopback, so `X-Forwarded-For` names the one that the call would come from.
 *
 * @param ownBackend `address:port` of the sandbox's own backend
 * @returns the backend's answer, and how the call got there
 * @throws ConnectivityError `connection.*`, `backend.unhealthy` or `usage.invalid`
 */
export async function callPlugin(world: World, call: PluginCall, ownBackend: string) {
  const path = findPath(world, call);
  const [hostname, port] = loopback(call.backend ?? ownBackend);
  const answer = await send(hostname, port, call, {
    Host: path.host,
    ...(call.body !== undefined && { 'Content-Type': 'application/json' }),
    [USER_ID_HEADER]: headerValue(call.userId),
    'X-Forwarded-For': path.from,
    'X-Tt-Logid': newLogId(Date.now()),
  });
  return {
    ...answer,
    /** The server that took the call, as the cloud has it: `10.20.1.10:8080`. */
    arrivedAt: `${path.address}:${path.port}`,
    /** The place on loopback to which the connection was really made. */
    connectedTo: `${hostname}:${port}`,
  };
}

/** Finds the source and the destination of a call, as the backend would see them. */
function findPath(world: World, call: PluginCall) {
  if (call.serviceId !== undefined) {
    const { endpointId, from, address, port } = pluginRoute(world, call.serviceId, call.port);
    const service = findResource(world.cloud, privatelinkEndpointService, call.serviceId);
    const host = `${endpointId}.${readText(service, 'ServiceDomain')}`;
    return { host, from, address, port };
  }
  const { from = '', to = workloadAddress(world, 'ingress'), port = HTTPS_PORT } = call;
  const route = routeIn(world, { from, to, port });
  if (route === 'open') return { host: `${to}:${port}`, from, address: to, port };
  throw new ConnectivityError(
    'backend.unhealthy',
    `no ingress rule lets the call from ${from} to ${to}:${port} in: it is ${route}`,
  );
}

function send(
  hostname: string,
  port: number,
  { path = '/', body }: PluginCall,
  headers: Readonly<Record<string, string>>,
): Promise<HttpAnswer> {
  const method = body === undefined ? 'GET' : 'POST';
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const options = { hostname, port, path, method, headers, signal, agent: false };
  const read = (response: IncomingMessage) =>
    readBody(response, new Error('its answer is longer than 1 MiB'));
  return sendRequest(options, body, read).catch((cause: NodeJS.ErrnoException) => {
    throw new ConnectivityError(
      'backend.unhealthy',
      `the backend at ${hostname}:${port} does not answer (${cause.code ?? cause.message})`,
      { cause },
    );
  });
}

function headerValue(userId: string): string {
  if (/^[\x20-\x7e]+$/.test(userId)) return userId;
  throw usageError(
    `\`userId\` must be printable ASCII for a header, got: ${JSON.stringify(userId)}`,
  );
}

function loopback(text: string): [hostname: string, port: number] {
  const [, hostname = '', port = ''] = /^(127\.\d+\.\d+\.\d+):(\d{1,5})$/.exec(text) ?? [];
  if (hostname !== '' && Number(port) > 0 && Number(port) < 65_536) return [hostname, Number(port)];
  throw usageError(
    `\`backend\` must be a loopback address and port such as 127.0.0.1:8080, got: "${text}"`,
  );
}

/**
 * Calls the agent's plugins for a chat: one over each private connection of the service, and one from
 * a fixed address where a workload lets such calls in. The chat's `user_id` goes with each call.
 *
 * @param backend `address:port` of the process in the backends' place
 */
export async function callAgentPlugins(
  world: World,
  userId: string,
  backend: string,
): Promise<PluginAnswer[]> {
  const calls = plugins(world).map(async ({ name, call }): Promise<PluginAnswer> => {
    try {
      const { status, body } = await callPlugin(world, { ...call, userId }, backend);
      return { name, result: { status, body } };
    } catch (error) {
      if (!(error instanceof ConnectivityError)) throw error;
      return { name, result: { error: error.code, message: error.message } };
    }
  });
  return await Promise.all(calls);
}

function plugins(world: World) {
  const services = listResources(world.cloud, privatelinkEndpointService)
    .map((service) => readText(service, 'ServiceId'))
    .filter((serviceId) => connectionsTo(world, serviceId).length > 0);
  const caller = fixedIpCaller(world);
  return [
    ...services.map((serviceId) => ({ name: serviceId, call: { serviceId } })),
    ...(caller ? [{ name: `from ${caller.from}`, call: caller }] : []),
  ];
}
