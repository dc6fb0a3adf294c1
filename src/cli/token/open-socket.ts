import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { checkStaysInside } from '../../service/base-url.js';
import { errorName, type TransportPhase, transportCode } from '../../service/transport-code.js';
import { hostOf, portOf } from '../../verify/host-port.js';
import { resolveName } from '../../verify/resolve-name.js';
import type { RunContext } from '../../verify/run-context.js';

export interface Place {
  readonly url: URL;
  /** The name sent and verified in TLS. */
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
  let failure: unknown;
  for (const address of addresses) {
    if (isPlain) checkStaysInside(host, address);
    try {
      const socket = await inPhase('tcp', address, () => dial(run, url, address, times.signal));
      if (isPlain) return socket;
      return await inPhase('tls', address, () => secure(run, tlsServerName, socket, times.signal));
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
  } catch (cause) {
    if (cause instanceof ConnectivityError) throw cause;
    const code = transportCode(cause, phase);
    throw new ConnectivityError(code, `no connection to ${to} (${phase}): ${errorName(cause)}`, {
      cause,
    });
  }
}

async function dial(
  { rerouter }: RunContext,
  url: URL,
  address: string,
  signal: AbortSignal,
): Promise<Socket> {
  const port = portOf(url);
  const target = (await rerouter.find(hostOf(url), address, port)) ?? { address, port };
  const socket = connect({ host: target.address, port: target.port, autoSelectFamily: false });
  return await opened(socket, 'connect', signal);
}

function secure(
  { secureContext }: RunContext,
  name: string,
  socket: Socket,
  signal: AbortSignal,
): Promise<Socket> {
  const secured = connectTls({
    socket,
    // An address cannot be sent as server name, but it is verified against the certificate.
    ...(isIP(name) === 0 ? { servername: name } : { host: name }),
    ALPNProtocols: ['http/1.1'],
    ...(secureContext && { secureContext }),
  });
  return opened(secured, 'secureConnect', signal);
}

async function opened<T extends Socket>(socket: T, event: string, signal: AbortSignal): Promise<T> {
  const stop = () => socket.destroy(signal.reason as Error);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await new Promise((resolve, reject) => {
      socket.on('error', reject);
      socket.once('close', () =>
        reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })),
      );
      socket.once(event, () => resolve(socket));
    });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
