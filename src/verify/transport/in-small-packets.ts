import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** Fits every path that IPv6 may take, with all headers. */
const PACKET_BYTES = 800;

/** Without a pause the system would send what is written in a row in one packet. */
const PAUSE_MS = 5;

/** A connection on which no packet from here is large, however much is written at a time. */
export function inSmallPackets(socket: Socket): Duplex {
  const stream = new Duplex({
    read: () => socket.resume(),
    write: (chunk: Buffer, _, done) => {
      writeSlowly(socket, chunk).then(() => done(), done);
    },
    final: (done) => {
      socket.end(done);
    },
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });
  socket.on('data', (chunk) => {
    if (!stream.push(chunk)) socket.pause();
  });
  socket.on('end', () => stream.push(null));
  socket.on('error', (error) => stream.destroy(error));
  socket.on('close', () => stream.destroy());
  return stream;
}

async function writeSlowly(socket: Socket, bytes: Buffer): Promise<void> {
  for (let start = 0; start < bytes.length; start += PACKET_BYTES) {
    if (start > 0) await sleep(PAUSE_MS);
    await new Promise<void>((resolve, reject) => {
      socket.write(bytes.subarray(start, start + PACKET_BYTES), (error) =>
        error ? reject(error) : resolve(),
      );
    });
  }
}
