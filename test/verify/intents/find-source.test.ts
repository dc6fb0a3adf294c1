import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { findSource } from '../../../src/verify/intents/dial-door.js';

vi.mock('node:dgram', () => ({
  createSocket: () =>
    Object.assign(new EventEmitter(), {
      connect: (_port: number, _host: string, done: () => void) => done(),
      address: () => ({ address: '0.0.0.0' }),
      close: () => undefined,
    }),
}));

test('where a route of this machine ends the way, it has no address for it', async () => {
  expect(await findSource('10.30.1.5')).toBeUndefined();
});
