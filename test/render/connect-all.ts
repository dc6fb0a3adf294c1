import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer, isIPv6, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Call {
  /** One of ours for egress, a peer for ingress. */
  readonly from: string;
  readonly to: string;
  readonly port: number;
}

export interface Probe {
  readonly ports: readonly number[];
  /** Calls of which none must succeed; they are begun before the others. */
  readonly closed: readonly Call[];
  readonly open: readonly Call[];
  /** Sent as UDP. */
  readonly datagrams: readonly Call[];
}

export interface ProbeResult {
  /** Of `closed`, those that connected all the same. */
  readonly leaked: readonly Call[];
  /** Of `open`, those that did not connect. */
  readonly blocked: readonly Call[];
  /** Of `datagrams`, those that were not refused. */
  readonly sent: readonly Call[];
}

/** Far longer than loopback takes; only a blocked call that should be open waits for it. */
const PATIENCE_MS = 5_000;

async function main(): Promise<void> {
  const { ports, closed, open, datagrams } = JSON.parse(await text(process.stdin)) as Probe;
  const servers = ports.map((port) => createServer((socket) => socket.end()).listen(port, '::'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const shut = closed.map((call) => ({ call, socket: dial(call) }));
  const opened = await Promise.all(
    open.map(async (call) => ({ call, isOpen: await isConnected(dial(call)) })),
  );
  const sent = await Promise.all(
    datagrams.map(async (call) => ({ call, isSent: await isSendable(call) })),
  );
  const result: ProbeResult = {
    leaked: shut.filter(({ socket }) => socket.bytesRead >= 0 && wasConnected(socket)).map(callOf),
    blocked: opened.filter(({ isOpen }) => !isOpen).map(callOf),
    sent: sent.filter(({ isSent }) => isSent).map(callOf),
  };
  process.stdout.write(JSON.stringify(result), () => process.exit(0));
}

const connected = new WeakSet<Socket>();

function dial({ from, to, port }: Call): Socket {
  const socket = connect({ host: to, port, localAddress: from });
  socket.on('connect', () => connected.add(socket));
  socket.on('error', () => undefined);
  return socket;
}

function wasConnected(socket: Socket): boolean {
  return connected.has(socket);
}

function isConnected(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), PATIENCE_MS);
    const end = (isOpen: boolean) => () => {
      clearTimeout(timer);
      resolve(isOpen);
    };
    socket.on('connect', end(true));
    socket.on('error', end(false));
  });
}

/** A packet that a rule on the way out drops is refused at once. */
function isSendable({ from, to, port }: Call): Promise<boolean> {
  const socket = createSocket(isIPv6(to) ? 'udp6' : 'udp4');
  return new Promise((resolve) => {
    socket.on('error', () => resolve(false));
    socket.bind(0, from, () => {
      socket.send('x', port, to, (error) => {
        socket.close();
        resolve(error === null);
      });
    });
  });
}

function callOf({ call }: { readonly call: Call }): Call {
  return call;
}

await main();
