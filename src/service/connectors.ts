import type { Socket } from 'node:net';
import { buildConnector, type Client } from 'undici';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { parseAddress } from '../net/address.js';
import { isPrivateAddress } from '../net/private-networks.js';

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
      const address = socket.remoteAddress ?? '';
      if (isInside(address)) return callback(null, socket);
      socket.destroy();
      callback(
        new ConnectivityError(
          'address.public',
          `plain http must stay inside private networks, got: ${address} for ${options.hostname}`,
        ),
        null,
      );
    });
  };
}

function isInside(text: string): boolean {
  try {
    return /^127\.|^::1$/.test(text) || isPrivateAddress(parseAddress(text));
  } catch {
    return false;
  }
}
