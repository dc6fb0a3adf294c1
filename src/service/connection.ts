import type { Socket } from 'node:net';
import { type buildConnector, Client, type Dispatcher } from 'undici';
import type { Code } from '../codes/codes.js';
import { ConnectivityError } from '../codes/connectivity-error.js';
import type { ServiceResponse } from './response.js';
import type { Secret } from './secret.js';
import { errorName, transportCode } from './transport-code.js';
import { withTimeout } from './with-timeout.js';

const LARGEST_BODY_BYTES = 1024 * 1024;
const LARGEST_HEADER_BYTES = 32 * 1024;
export const REQUEST_TIMEOUT_MS = 10_000;

export interface ServiceRequest {
  readonly method: 'GET' | 'POST';
  /** With the query, from the first slash. */
  readonly path: string;
  /** Sent as bearer credential. */
  readonly credential?: Secret;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds for the whole call. @default 10_000 */
  readonly timeoutMs?: number;
}

export interface ConnectionOptions {
  /** The name sent and verified in TLS. @default the host of the base URL */
  readonly tlsServerName?: string;
  /** PEM certificates that replace the default roots. */
  readonly ca?: string | readonly string[];
  /**
   * Opens the socket to speak over, connected and secured, each time one is needed.
   *
   * @default a connection of its own to the base URL
   */
  readonly open?: () => Promise<Socket>;
}

/** One connection to the service. It follows no redirect and repeats no request. */
export interface ServiceConnection {
  /** @throws ConnectivityError when no complete answer came; any HTTP status is an answer */
  request(request: ServiceRequest, options?: CallOptions): Promise<ServiceResponse>;
  close(): Promise<void>;
}

/**
 * Speaks HTTP/1.1 with the service, over one connection at a time.
 *
 * @param baseUrl scheme, host and port; also what the header `Host` says
 */
export function connectService(
  baseUrl: string,
  options: ConnectionOptions = {},
): ServiceConnection {
  const client = new Client(new URL(baseUrl).origin, {
    connect: options.open ? connectorOf(options.open) : ownConnector(options),
    maxResponseSize: LARGEST_BODY_BYTES,
    maxHeaderSize: LARGEST_HEADER_BYTES,
    pipelining: 1,
  });
  return {
    request: (request, call = {}) => send(client, request, call),
    close: () => client.destroy(),
  };
}

function connectorOf(open: () => Promise<Socket>): buildConnector.connector {
  return (_, callback) => {
    open().then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

function ownConnector({ tlsServerName, ca }: ConnectionOptions): Client.Options['connect'] {
  return {
    allowH2: false,
    ...(tlsServerName !== undefined && { servername: tlsServerName }),
    ...(ca !== undefined && { ca: typeof ca === 'string' ? ca : [...ca] }),
  };
}

async function send(
  client: Client,
  request: ServiceRequest,
  { signal, timeoutMs = REQUEST_TIMEOUT_MS }: CallOptions,
): Promise<ServiceResponse> {
  const sentAt = Date.now();
  try {
    return await withTimeout(timeoutMs, signal, async (ownSignal) => {
      const response = await client.request(dispatchOptions(request, ownSignal));
      const text = await response.body.text();
      return readResponse(response, text, request, sentAt);
    });
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    const code = callCode(error);
    throw new ConnectivityError(
      code,
      `${request.method} ${pathOf(request)} got no complete answer: ${errorName(error)}`,
      { cause: error },
    );
  }
}

/** A connection of its own fails in its phases too; they are told apart by the error. */
function callCode(error: unknown): Code {
  const name = errorName(error);
  const { syscall } = error as { syscall?: unknown };
  if (syscall === 'getaddrinfo') return transportCode(error, 'dns');
  if (syscall === 'connect') return transportCode(error, 'tcp');
  if (name === 'UND_ERR_CONNECT_TIMEOUT') return 'tcp.timeout';
  const isVerdictOnTls = /CERT|SIGNATURE|ISSUER|^ERR_TLS|^ERR_SSL/.test(name);
  return transportCode(error, isVerdictOnTls ? 'tls' : 'http');
}

function dispatchOptions(
  { method, path, credential, body }: ServiceRequest,
  signal: AbortSignal,
): Dispatcher.RequestOptions {
  return {
    method,
    path,
    signal,
    headers: {
      accept: 'application/json',
      ...(credential && { authorization: `Bearer ${credential.reveal()}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    // The call has one timer, its own; these would be a second, coarser one.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

function readResponse(
  { statusCode, headers }: Dispatcher.ResponseData,
  body: string,
  { credential }: ServiceRequest,
  sentAt: number,
): ServiceResponse {
  const text = credential ? body.replaceAll(credential.reveal(), '[redacted]') : body;
  return {
    status: statusCode,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
    ),
    text,
    json: parseJson(text),
    sentAt,
    receivedAt: Date.now(),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pathOf({ path }: ServiceRequest): string {
  return path.split('?')[0] ?? path;
}
