import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { type Listener, LOOPBACK, listen } from './listen.js';

// The worker blocks itself right after listening, so that it never accepts. With its queue full the
// kernel drops every further SYN, as a firewall does. The code is text so that it survives bundling.
const WORKER = `
const { createServer } = require('node:net');
const { parentPort, workerData } = require('node:worker_threads');
const server = createServer((socket) => socket.destroy());
server.listen({ port: 0, host: workerData.host, backlog: 1 }, () => {
  parentPort.postMessage(server.address().port);
  Atomics.wait(workerData.gate, 0, 0);
});
`;

// A queue for one connection holds two.
const FILLERS = 2;

let blackHole: Promise<Listener> | undefined;

/**
 * Opens a port on which a connection is never established: the SYN gets no answer. All sandboxes of a
 * process share one, which nothing gets through to, and which ends with the process.
 */
export function openBlackHole(): Promise<Listener> {
  blackHole ??= startBlackHole().catch((error: unknown) => {
    blackHole = undefined;
    throw error;
  });
  return blackHole;
}

async function startBlackHole(): Promise<Listener> {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(WORKER, { eval: true, workerData: { gate, host: LOOPBACK } });
  const [port] = (await once(worker, 'message')) as [number];
  worker.unref();
  for (let i = 0; i < FILLERS; i += 1) await hold(port);
  return { port, stop: async () => undefined };
}

/** A connection that is there and does nothing. */
async function hold(port: number): Promise<Socket> {
  const socket = connect(port, LOOPBACK).unref();
  await once(socket, 'connect');
  return socket.on('error', () => undefined);
}

/**
 * Opens a port that refuses connections and is kept from everyone else's use: it is the near end of
 * a connection, so it is taken, and nothing listens on it.
 */
export async function openRefusingPort(): Promise<Listener> {
  const server = await listen(createServer((accepted) => accepted.resume()));
  const socket = await hold(server.port);
  return {
    port: socket.localPort ?? 0,
    stop: async () => {
      socket.destroy();
      await server.stop();
    },
  };
}

export interface FilterRules {
  /** Tells whether a piece of the client's bytes is stopped; nothing after it passes. */
  readonly stops: (bytes: Buffer) => boolean;
  /** Refuses the client. @default - it gets no answer */
  readonly refuse?: (socket: Socket) => void;
}

/** Opens a loopback port that leads to another one, and looks at what clients send. */
export function openFilter(behind: number, { stops, refuse }: FilterRules): Promise<Listener> {
  const server = createServer((socket) => {
    const onward = connect(behind, LOOPBACK);
    onward.on('error', () => socket.destroy());
    socket.once('close', () => onward.destroy());
    onward.pipe(socket);
    const inspect = (bytes: Buffer) => {
      if (!stops(bytes)) return void onward.write(bytes);
      socket.off('data', inspect).resume();
      refuse?.(socket);
    };
    socket.on('data', inspect);
  });
  return listen(server);
}

/**
 * The answer to a request for a tunnel: a port of loopback that it leads to, a refusal, or nothing.
 */
export type TunnelAnswer = { readonly port: number } | { readonly status: number } | 'silence';

/**
 * Opens an HTTP proxy on loopback. It opens tunnels and does nothing else.
 *
 * @param onOther called for each request that asks for no tunnel, and is refused
 */
export function openProxy(
  answer: (request: IncomingMessage) => TunnelAnswer,
  onOther: () => void = () => undefined,
): Promise<Listener> {
  const server = createHttpServer((_, response) => {
    onOther();
    response.writeHead(400).end();
  });
  server.on('connect', (request, socket: Socket) => {
    socket.on('error', () => undefined);
    const answered = answer(request);
    if (answered === 'silence') return;
    if ('port' in answered) openTunnel(socket, answered.port);
    else socket.end(`HTTP/1.1 ${answered.status} No\r\ncontent-length: 0\r\n\r\n`);
  });
  return listen(server);
}

function openTunnel(socket: Socket, port: number): void {
  const behind = connect(port, LOOPBACK, () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    socket.pipe(behind).pipe(socket);
  });
  behind.on('error', () => socket.destroy());
  socket.once('close', () => behind.destroy());
}
