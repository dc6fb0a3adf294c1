import { createServer as createHttp } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { listen } from './service-server.js';

/** Cuts each connection whose first bytes name a host; others go on to the port behind. */
export async function startNameFilter(
  host: string,
  port: number,
  refuse: (socket: Socket) => void,
): Promise<number> {
  const server = createServer((socket) => {
    socket.once('data', (hello) => {
      if (hello.includes(host)) {
        refuse(socket);
        return;
      }
      const behind = connect(port, '127.0.0.1');
      behind.on('error', () => socket.destroy());
      behind.write(hello);
      socket.pipe(behind).pipe(socket);
    });
  });
  return await listen(server);
}

/** Plain http that answers with a date of its own. */
export async function startDated(date: Date): Promise<number> {
  const server = createHttp((_, response) => {
    response.setHeader('date', date.toUTCString());
    response.end('hello');
  });
  return await listen(server);
}

export interface FakeProxy {
  readonly url: string;
  /** What tunnels were asked for: `host:port`. */
  readonly asked: string[];
  /** How many requests came that were no tunnel. */
  inClear: number;
  /** The credentials of the last request. */
  login: string | undefined;
}

/** A proxy that answers CONNECT with a status, and with 200 leads to a port of loopback. */
export async function startProxy(answer: {
  readonly status: number;
  readonly port?: number;
}): Promise<FakeProxy> {
  const asked: string[] = [];
  const proxy = { asked, login: undefined as string | undefined, inClear: 0 };
  const server = createHttp((_, response) => {
    proxy.inClear += 1;
    response.statusCode = 400;
    response.end();
  });
  server.on('connect', (request, socket: Socket) => {
    asked.push(request.url ?? '');
    proxy.login = request.headers['proxy-authorization'];
    socket.on('error', () => undefined);
    if (answer.status !== 200 || answer.port === undefined) {
      socket.end(`HTTP/1.1 ${answer.status} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const behind = connect(answer.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(behind).pipe(socket);
    });
    behind.on('error', () => socket.destroy());
  });
  const port = await listen(server);
  return Object.assign(proxy, { url: `http://127.0.0.1:${port}` });
}

export interface Gate {
  readonly port: number;
  /** Connections taken so far. */
  accepted: number;
  /** Is told of each connection. */
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
