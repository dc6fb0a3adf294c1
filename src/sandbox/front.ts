import { connect, createServer, type Socket } from 'node:net';
import { type Listener, LOOPBACK, listen } from './listen.js';

export interface FrontRules {
  /** Whether a piece of what a client sends is stopped; nothing that it sends afterwards passes. */
  readonly stops: (bytes: Buffer) => boolean;
  /** What the client then gets. @default - nothing */
  readonly refuse?: (socket: Socket) => void;
}

/** Opens a loopback port that leads to another one, and looks at what clients send. */
export function openFront(behind: number, { stops, refuse }: FrontRules): Promise<Listener> {
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
