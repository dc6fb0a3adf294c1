import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { connectService } from '../../../src/service/http/connection.js';
import { written } from '../../support/raw-service.js';
import { listen } from '../../support/service-server.js';

test.each([
  [
    '408',
    written('408 Request Timeout'),
    'http.request-timeout',
    /"HTTP\/1\.1 408 Request Timeout"$/,
  ],
  ['a page', written('200 OK', '<html>'), 'http.unexpected-answer', /"HTTP\/1\.1 200 OK"$/],
  ['a greeting', 'SSH-2.0-x\r\n', 'http.unexpected-answer', /"SSH-2\.0-x"$/],
])('%s that comes before the request is not read as its answer', async (_, bytes, code, message) => {
  const port = await listen(createServer((socket) => socket.write(bytes)));
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'readable');
  const connection = connectService(`http://127.0.0.1:${port}`, { open: async () => socket });
  onTestFinished(() => connection.close());
  await expect(connection.request({ method: 'GET', path: '/' })).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  });
  expect([socket.destroyed, socket.bytesWritten]).toEqual([true, 0]);
});
