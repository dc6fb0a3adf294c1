import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { openFilter, openProxy } from '../../src/sandbox/listeners/faulty-ports.js';
import { listen } from './service-server.js';

/** Cuts each connection whose bytes name a host; others go on to the port behind. */
export async function startNameFilter(
  host: string,
  behind: number,
  refuse: (socket: Socket) => void,
): Promise<number> {
  const stops = (bytes: Buffer) => bytes.includes(host);
  const { port, stop } = await openFilter(behind, { stops, refuse });
  onTestFinished(stop);
  return port;
}

export interface FakeProxy {
  readonly url: string;
  /** The tunnels that were asked for: `host:port`. */
  readonly asked: string[];
  /** The number of requests that were no tunnel. */
  inClear: number;
  /** The credentials of the last request. */
  login: string | undefined;
}

/** A proxy that answers CONNECT with a status, and with 200 leads to a port of loopback. */
export async function startProxy(answer: {
  readonly status: number;
  readonly port?: number;
}): Promise<FakeProxy> {
  const proxy = { asked: [] as string[], login: undefined as string | undefined, inClear: 0 };
  const { port, stop } = await openProxy(
    ({ url = '', headers }) => {
      proxy.asked.push(url);
      proxy.login = headers['proxy-authorization'];
      const { status, port: behind } = answer;
      return status === 200 && behind !== undefined ? { port: behind } : { status };
    },
    () => {
      proxy.inClear += 1;
    },
  );
  onTestFinished(stop);
  return Object.assign(proxy, { url: `http://127.0.0.1:${port}` });
}

export interface Gate {
  readonly port: number;
  /** Connections taken so far. */
  accepted: number;
  /** Called for each connection. */
  onAccept: () => void;
  /** Lets what waits and what comes go on to the port behind. */
  readonly open: () => void;
}

/** Takes connections and holds back what they say until it is opened. */
export async function startGate(behindPort: number): Promise<Gate> {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const state = { accepted: 0, onAccept: () => {}, open: () => open() };
  const gate: Gate = Object.assign(state, {
    port: await listen(
      createServer(async (socket) => {
        gate.accepted += 1;
        gate.onAccept();
        await opened;
        const behind = connect(behindPort, '127.0.0.1');
        behind.on('error', () => socket.destroy());
        socket.pipe(behind).pipe(socket);
      }),
    ),
  });
  return gate;
}
