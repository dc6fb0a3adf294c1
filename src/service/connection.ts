import type { Socket } from 'node:net';
import { Client, type Dispatcher, Pool } from 'undici';
import { capped, readText } from './body.js';
import { callError } from './call-error.js';
import { type ConnectorOptions, connectorOf, ownConnector, plainConnector } from './connectors.js';
import { dispatchOptions, readHeaders, readResponse } from './http-message.js';
import { LARGEST_BODY_BYTES, LARGEST_HEADER_BYTES, REQUEST_TIMEOUT_MS } from './limits.js';
import type { ServiceResponse } from './response.js';
import type { ServiceRequest } from './service-request.js';
import { StreamTimer } from './stream-timer.js';
import { withTimeout } from './with-timeout.js';

export { REQUEST_TIMEOUT_MS } from './limits.js';
export type { ServiceRequest } from './service-request.js';

const LARGEST_STREAM_BYTES = 64 * 1024 * 1024;
const STREAM_TIMEOUT_MS = 600_000;
const STREAM_IDLE_TIMEOUT_MS = 60_000;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds for the whole call. @default 10_000 */
  readonly timeoutMs?: number;
}

export interface StreamOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds for the whole stream. @default 600_000 */
  readonly timeoutMs?: number;
  /** Milliseconds until the answer begins, and from each piece of it to the next. @default 60_000 */
  readonly idleTimeoutMs?: number;
}

export interface ConnectionOptions extends ConnectorOptions {
  /**
   * Opens the socket to speak over, connected and secured, each time one is needed.
   *
   * @default a connection of its own to the base URL
   */
  readonly open?: () => Promise<Socket>;
  /** How many calls may be under way at the same time, each on a connection. @default 1 */
  readonly connections?: number;
}

/** An answer whose body is still coming. */
export interface StreamedResponse extends Pick<ServiceResponse, 'status' | 'headers' | 'sentAt'> {
  /** To be read to its end, or left early, which ends the connection. */
  readonly body: AsyncGenerator<Uint8Array, void, undefined>;
  /** Reads the body to its end, where it turns out to be no stream. */
  readonly whole: () => Promise<ServiceResponse>;
}

/** A connection to the service, or several alike. It follows no redirect and repeats no request. */
export interface ServiceConnection {
  /** @throws ConnectivityError when no complete answer came; any HTTP status is an answer */
  request(request: ServiceRequest, options?: CallOptions): Promise<ServiceResponse>;
  /** As `request`, but answers as soon as the body begins. */
  stream(request: ServiceRequest, options?: StreamOptions): Promise<StreamedResponse>;
  close(): Promise<void>;
}

/**
 * Speaks HTTP/1.1 with the service; without TLS to private and loopback addresses only.
 *
 * @param baseUrl scheme, host and port; also what the header `Host` says
 */
export function connectService(
  baseUrl: string,
  options: ConnectionOptions = {},
): ServiceConnection {
  const { origin, protocol } = new URL(baseUrl);
  const { open, connections = 1 } = options;
  const own = protocol === 'http:' ? plainConnector() : ownConnector(options);
  const settings = {
    connect: open ? connectorOf(open) : own,
    maxHeaderSize: LARGEST_HEADER_BYTES,
    pipelining: 1,
  };
  const client =
    connections === 1
      ? new Client(origin, settings)
      : new Pool(origin, { ...settings, connections });
  return {
    request: (request, call = {}) => send(client, request, call),
    stream: (request, call = {}) => stream(client, request, call),
    close: () => client.destroy(),
  };
}

async function send(
  client: Dispatcher,
  request: ServiceRequest,
  { signal, timeoutMs = REQUEST_TIMEOUT_MS }: CallOptions,
): Promise<ServiceResponse> {
  const sentAt = Date.now();
  try {
    return await withTimeout(timeoutMs, signal, async (ownSignal) => {
      const { statusCode, headers, body } = await client.request(
        dispatchOptions(request, ownSignal),
      );
      const text = await readText(body, LARGEST_BODY_BYTES);
      return readResponse({ statusCode, headers, text }, request, sentAt);
    });
  } catch (error) {
    throw callError(error, request, signal);
  }
}

async function stream(
  client: Dispatcher,
  request: ServiceRequest,
  options: StreamOptions,
): Promise<StreamedResponse> {
  const { signal, timeoutMs = STREAM_TIMEOUT_MS } = options;
  const { idleTimeoutMs = STREAM_IDLE_TIMEOUT_MS } = options;
  const timer = new StreamTimer({ signal, timeoutMs, idleTimeoutMs });
  const sentAt = Date.now();
  try {
    const { statusCode, headers, body } = await client.request(
      dispatchOptions(request, timer.signal),
    );
    const pieces = watched(body, timer, (error) => callError(error, request, signal));
    return {
      status: statusCode,
      headers: readHeaders(headers),
      sentAt,
      body: pieces,
      whole: async () => {
        const text = await readText(pieces, LARGEST_BODY_BYTES);
        return readResponse({ statusCode, headers, text }, request, sentAt);
      },
    };
  } catch (error) {
    timer.stop();
    throw callError(error, request, signal);
  }
}

async function* watched(
  body: AsyncIterable<Uint8Array>,
  timer: StreamTimer,
  explained: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const piece of capped(body, LARGEST_STREAM_BYTES)) {
      timer.touch();
      yield piece;
    }
  } catch (error) {
    throw explained(error);
  } finally {
    timer.stop();
  }
}
