import type { Socket } from 'node:net';
import { buildConnector, Client, Pool } from 'undici';
import { checkStaysInside } from './base-url.js';
import { HttpExchange } from './exchange.js';
import { MAX_HEADER_BYTES } from './limits.js';
import type { ServiceConnection, ServiceRequest } from './message.js';

type Connector = buildConnector.connector;

/** Checks a socket before the client has it. */
type Check = (socket: Socket, host: string) => Socket;

/**
 * The error that ends a running call; one for all, as making an error takes longer than closing.
 */
const CLOSED = Object.assign(new Error('the connection was closed here'), {
  code: 'UND_ERR_DESTROYED',
});

export interface ConnectionOptions {
  /**
   * Opens the socket to use, connected and secured, each time one is needed.
   *
   * @default a connection of its own to the base URL
   */
  readonly open?: () => Promise<Socket>;
  /** The server name (SNI) sent and verified in TLS. @default the host of the base URL */
  readonly tlsServerName?: string;
  /** PEM certificates that replace the default roots. */
  readonly ca?: string | readonly string[];
  /** The number of calls that may run at the same time, each on its own connection. @default 1 */
  readonly connections?: number;
  /** No request carries a credential, so even plain http may leave the private networks. */
  readonly anonymous?: boolean;
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
  const { open, connections = 1, anonymous = false } = options;
  const isInside = protocol === 'http:' && !anonymous;
  const check: Check = isInside ? insideOnly : (socket) => socket;
  const own =
    protocol === 'http:'
      ? handingOver(buildConnector({ allowH2: false }), check)
      : secureConnector(options);
  const settings = {
    connect: open ? openedBy(open, check) : own,
    maxHeaderSize: MAX_HEADER_BYTES,
    pipelining: 1,
  };
  const client =
    connections === 1
      ? new Client(origin, settings)
      : new Pool(origin, { ...settings, connections });
  const exchange = new HttpExchange(client, open !== undefined);
  return {
    request: async (request, call = {}) => await exchange.send(allowed(request, anonymous), call),
    stream: async (request, call = {}) => await exchange.stream(allowed(request, anonymous), call),
    close: () => client.destroy(CLOSED),
  };
}

function allowed(request: ServiceRequest, anonymous: boolean): ServiceRequest {
  if (!anonymous || request.credential === undefined) return request;
  throw new Error('an anonymous connection must carry no credential');
}

/**
 * Hands over sockets that the caller opens. The client takes a socket that was destroyed without an
 * error for one that it may open again at will; here it must be the end of the call.
 */
function openedBy(open: () => Promise<Socket>, check: Check): Connector {
  return ({ hostname }, callback) => {
    const opened = open().then((socket) => {
      const { errored, destroyed } = socket;
      if (errored !== null || destroyed) throw errored ?? closedBefore();
      return check(socket, hostname);
    });
    opened.then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

/**
 * Lets a connection without TLS go to private and loopback addresses only: nothing that is sent is
 * encrypted.
 *
 * @throws ConnectivityError `address.plain-http`, and ends the connection
 */
function insideOnly(socket: Socket, host: string): Socket {
  try {
    checkStaysInside(host, socket.remoteAddress ?? '');
    return socket;
  } catch (refusal) {
    socket.destroy();
    throw refusal;
  }
}

function closedBefore(): Error {
  return Object.assign(new Error('the connection was closed before the request'), {
    code: 'ECONNRESET',
  });
}

function secureConnector({ tlsServerName, ca }: ConnectionOptions): Connector {
  return buildConnector({
    allowH2: false,
    // Explicit: NODE_TLS_REJECT_UNAUTHORIZED could turn it off.
    rejectUnauthorized: true,
    ...(tlsServerName !== undefined && { servername: tlsServerName }),
    ...(ca !== undefined && { ca: typeof ca === 'string' ? ca : [...ca] }),
  });
}

function handingOver(connect: Connector, check: Check): Connector {
  return (options, callback) => {
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      try {
        callback(null, check(socket, options.hostname));
      } catch (refusal) {
        callback(refusal as Error, null);
      }
    });
  };
}
