import { createServer } from 'node:http';
import { type Listener, listen } from '../listen.js';
import { USER_ID_HEADER } from './call-plugin.js';

/** A plugin's backend that answers who it was called for, and what was called. */
export function startEchoBackend(): Promise<Listener> {
  return listen(
    createServer((request, response) => {
      request.resume();
      const userId = request.headers[USER_ID_HEADER.toLowerCase()] ?? null;
      const { method = '', url = '' } = request;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`${JSON.stringify({ method, path: url, user_id: userId })}\n`);
    }),
  );
}
