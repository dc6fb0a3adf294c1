import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One answer of the API: a `Result`, or an `Error` under a status. */
export interface Reply {
  readonly result?: object;
  readonly error?: { readonly Code: string; readonly Message: string };
  readonly status?: number;
}

export interface Received {
  readonly action: string | null;
  readonly body: Record<string, unknown>;
}

/** A Cloud Control API that answers each action by its own list, the last reply again and again. */
export async function startScriptedCloud(script: Record<string, readonly Reply[]>) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const action = new URL(request.url ?? '', 'http://cloud').searchParams.get('Action');
    const earlier = received.filter((call) => call.action === action).length;
    received.push({ action, body: JSON.parse(Buffer.concat(chunks).toString()) });
    const replies = script[action ?? ''] ?? [];
    const reply = replies[Math.min(earlier, replies.length - 1)] ?? { status: 500 };
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json' });
    const ResponseMetadata = { RequestId: 'request-1', Error: reply.error };
    response.end(JSON.stringify({ ResponseMetadata, Result: reply.result }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    endpoint: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
