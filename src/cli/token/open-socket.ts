import { isIP, type Socket } from 'node:net';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { checkStaysInside } from '../../service/http/base-url.js';
import {
  errorName,
  type TransportPhase,
  transportCode,
} from '../../service/http/transport-code.js';
import type { RunContext } from '../../verify/transport/context.js';
import { dial } from '../../verify/transport/dial.js';
import { hostOf, portOf } from '../../verify/transport/host-port.js';
import { resolveName } from '../../verify/transport/resolve-name.js';
import { HandshakeError, secure } from '../../verify/transport/tls/secure.js';

interface Place {
  readonly url: URL;
  /** The server name (SNI) sent and verified in TLS. */
  readonly tlsServerName: string;
}

/**
 * Opens the socket for the token call: to the first address that takes the connection.
 *
 * @throws ConnectivityError `dns.*`, `tcp.*`, `tls.*`, `address.public`
 */
export async function openSocket(
  run: RunContext,
  { url, tlsServerName }: Place,
  times: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<Socket> {
  const host = hostOf(url);
  const isPlain = url.protocol === 'http:';
  const addresses =
    isIP(host) === 0
      ? await inPhase('dns', host, async () => {
          const { dnsServer: server } = run;
          return (await resolveName(host, { ...times, server })).addresses;
        })
      : [host];
  const seen = { reroutes: new Map() };
  const way = { run, host, port: portOf(url), isPlain, seen, proxy: undefined };
  const server = { run, tlsServerName, sendsServerName: true };
  let failure: unknown;
  for (const address of addresses) {
    if (isPlain) checkStaysInside(host, address);
    try {
      const socket = await inPhase('tcp', address, () => dial(way, address, times.signal));
      if (isPlain) return socket;
      return await inPhase('tls', address, async () => {
        return (await secure(server, socket, times.signal)).socket;
      });
    } catch (error) {
      times.signal.throwIfAborted();
      failure ??= error;
    }
  }
  throw failure;
}

async function inPhase<T>(phase: TransportPhase, to: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConnectivityError) throw error;
    const cause = error instanceof HandshakeError ? error.cause : error;
    const code = transportCode(cause, phase);
    throw new ConnectivityError(code, `no connection to ${to} (${phase}): ${errorName(cause)}`, {
      cause,
    });
  }
}
