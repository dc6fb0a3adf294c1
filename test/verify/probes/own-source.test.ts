import { type createSocket, Socket } from 'node:dgram';
import { expect, test } from 'vitest';
import { findSource } from '../../../src/verify/probes/own-source.js';

/** A system whose route ends the way: it connects, and names no address. */
const withoutAddress: typeof createSocket = () =>
  Object.assign(Object.create(Socket.prototype), {
    once: () => undefined,
    connect: (_port: number, _host: string, done: () => void) => done(),
    address: () => ({ address: '0.0.0.0', family: 'IPv4', port: 0 }),
    close: () => undefined,
  });

test('where a route of this machine ends the way, it has no address for it', async () => {
  expect(await findSource('10.30.1.5', withoutAddress)).toBeUndefined();
});

test('a way over loopback has its address', async () => {
  expect(await findSource('127.0.0.1')).toMatchObject({ address: '127.0.0.1' });
});
