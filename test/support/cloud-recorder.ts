import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A call of the cloud's API. */
export interface RecordedCall {
  readonly action: string;
  readonly type: string;
}

/** The actions of the API that read an object, or a list of them, and change nothing. */
const READS = ['GetResource', 'ListResources'];

/**
 * Stands before a cloud and records every call to it. What is no read is recorded and refused, so that
 * nothing of it happens.
 *
 * @param endpoint of the cloud, `http://127.0.0.1:PORT` or without a scheme
 */
export async function recordCalls(endpoint: string) {
  const calls: RecordedCall[] = [];
  const target = new URL(endpoint.includes('://') ? endpoint : `http://${endpoint}`);
  const server = createServer(async (incoming, answer) => {
    const body = await text(incoming);
    const action = new URLSearchParams(incoming.url?.split('?')[1]).get('Action') ?? '';
    calls.push({ action, type: String(JSON.parse(body || '{}').TypeName) });
    if (!READS.includes(action)) {
      answer.writeHead(403).end('{"ResponseMetadata":{"Error":{"Code":"AccessDenied"}}}');
      return;
    }
    const { method, headers, url: path } = incoming;
    const { hostname: host, port } = target;
    const forwarded = request({ host, port, method, headers, path }, (given) => {
      answer.writeHead(given.statusCode ?? 500, given.headers);
      given.pipe(answer);
    });
    forwarded.on('error', () => answer.destroy());
    forwarded.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    /** Calls that could change something. */
    writes: () => calls.filter(({ action }) => !READS.includes(action)),
  };
}
