import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { type Listener, LOOPBACK, listen } from './listen.js';

interface FilterRules {
  /** Whether a piece of what a client sends is stopped; nothing that it sends afterwards passes. */
  readonly stops: (bytes: Buffer) => boolean;
  /** What the client then gets. @default - nothing */
  readonly refuse?: (socket: Socket) => void;
}

/** Opens a loopback port that leads to another one, and looks at what clients send. */
export function openFilter(behind: number, { stops, refuse }: FilterRules): Promise<Listener> {
  const server = createServer((socket) => {
    const onward = connect(behind, LOOPBACK);
    onward.on('error', () => socket.destroy());
    socket.once('close', () => onward.destroy());
    onward.pipe(socket);
    const look = (bytes: Buffer) => {
      if (!stops(bytes)) return void onward.write(bytes);
      socket.off('data', look).resume();
      refuse?.(socket);
    };
    socket.on('data', look);
  });
  return listen(server);
}

/** What a request for a tunnel gets: a port of loopback that it leads to, a refusal, or nothing. */
type TunnelAnswer = { readonly port: number } | { readonly status: number } | 'silence';

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
    response.statusCode = 400;
    response.end();
  });
  server.on('connect', (request, socket: Socket) => {
    socket.on('error', () => undefined);
    const answered = answer(request);
    if (answered === 'silence') return;
    if ('port' in answered) lead(socket, answered.port);
    else socket.end(`HTTP/1.1 ${answered.status} No\r\ncontent-length: 0\r\n\r\n`);
  });
  return listen(server);
}

function lead(socket: Socket, port: number): void {
  const behind = connect(port, LOOPBACK, () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    socket.pipe(behind).pipe(socket);
  });
  behind.on('error', () => socket.destroy());
  socket.once('close', () => behind.destroy());
}
