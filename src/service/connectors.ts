import type { Socket } from 'node:net';
import { buildConnector, type Client } from 'undici';
import { checkStaysInside } from './base-url.js';

type Connector = buildConnector.connector;

/** How a connection to the service is opened that nobody opened before. */
export interface ConnectorOptions {
  /** The name sent and verified in TLS. @default the host of the base URL */
  readonly tlsServerName?: string;
  /** PEM certificates that replace the default roots. */
  readonly ca?: string | readonly string[];
}

/** Hands sockets over that the caller opens. */
export function connectorOf(open: () => Promise<Socket>): Connector {
  return (_, callback) => {
    open().then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

export function ownConnector({ tlsServerName, ca }: ConnectorOptions): Client.Options['connect'] {
  return {
    allowH2: false,
    // Said aloud, because a variable of the environment could switch it off otherwise.
    rejectUnauthorized: true,
    ...(tlsServerName !== undefined && { servername: tlsServerName }),
    ...(ca !== undefined && { ca: typeof ca === 'string' ? ca : [...ca] }),
  };
}

/** Connects without TLS, and to private or loopback addresses only: what is sent is in clear. */
export function plainConnector(): Connector {
  const connect = buildConnector({ allowH2: false });
  return (options, callback) => {
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      try {
        checkStaysInside(options.hostname, socket.remoteAddress ?? '');
        callback(null, socket);
      } catch (refusal) {
        socket.destroy();
        callback(refusal as Error, null);
      }
    });
  };
}
