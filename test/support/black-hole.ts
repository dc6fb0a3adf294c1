import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

/** Listens with the shortest queue, then never looks at it again. */
const BLOCKED_LISTENER = `
  const { createServer } = require('node:net');
  const { parentPort } = require('node:worker_threads');
  const server = createServer();
  server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });
`;

/** A port that drops what tries to connect: its queue is full and nobody empties it. */
export async function startBlackHole(): Promise<number> {
  const worker = new Worker(BLOCKED_LISTENER, { eval: true });
  onTestFinished(async () => {
    await worker.terminate();
  });
  const [port] = (await once(worker, 'message')) as [number];
  for (let i = 0; i < 2; i += 1) {
    const filler = connect(port, '127.0.0.1');
    filler.on('error', () => undefined);
    onTestFinished(() => {
      filler.destroy();
    });
    await once(filler, 'connect');
  }
  return port;
}
