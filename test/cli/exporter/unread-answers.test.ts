import { once } from 'node:events';
import { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { LinkChecks } from '../../../src/cli/exporter/link-checks.js';
import { serve } from '../../../src/cli/exporter/serve.js';

/** More answers than both ends of a connection hold for a caller that takes none. */
const QUESTIONS = 'GET /-/healthy HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(50_000);

test('a caller that does not read its answers loses its connection', async () => {
  const { setTimeout: limit } = ServerResponse.prototype;
  const limits: number[] = [];
  const spy = vi.spyOn(ServerResponse.prototype, 'setTimeout');
  spy.mockImplementation(function (this: ServerResponse, ms) {
    limits.push(ms);
    return limit.call(this, ms / 200);
  });
  onTestFinished(() => spy.mockRestore());
  const checks = { stop: () => undefined, cut: () => undefined, isStopping: false };
  const { url, stop } = await serve(checks as unknown as LinkChecks, {
    host: '127.0.0.1',
    port: 0,
  });
  onTestFinished(async () => void (await stop()));
  const caller = connect(Number(new URL(url).port), '127.0.0.1').pause();
  onTestFinished(() => void caller.destroy());
  caller.write(QUESTIONS);
  const lost = once(caller, 'error').then(([error]) => (error as NodeJS.ErrnoException).code);
  for (let i = 0; i < 100 && !caller.destroyed; i += 1) {
    await setTimeout(100);
    caller.write('\r\n');
  }
  expect(caller.destroyed).toBe(true);
  expect(['EPIPE', 'ECONNRESET']).toContain(await lost);
  expect(new Set(limits)).toEqual(new Set([60_000]));
});
