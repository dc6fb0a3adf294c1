import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { readText } from './body.js';
import { callError } from './call-error.js';
import type { ServiceConnection } from './connection.js';
import { readResponse } from './http-message.js';
import { LARGEST_BODY_BYTES, LARGEST_HEADER_BYTES, REQUEST_TIMEOUT_MS } from './limits.js';
import type { ServiceRequest } from './service-request.js';
import { withTimeout } from './with-timeout.js';

/** What can be asked of a connection whose sockets the caller opens. */
export type Caller = Pick<ServiceConnection, 'request' | 'close'>;

/**
 * Speaks HTTP/1.1 with the service over sockets that the caller opens, one at a time. It is Node's own
 * client, which a program that makes two calls has at hand sooner than any other.
 *
 * @param baseUrl scheme, host and port: what the header `Host` says
 * @param open gives a socket, connected and secured, each time one is needed
 */
export function speakOver(baseUrl: string, open: () => Promise<Socket>): Caller {
  const { host } = new URL(baseUrl);
  const agent = new OpenedAgent(open);
  return {
    request: async (request, { signal, timeoutMs = REQUEST_TIMEOUT_MS } = {}) => {
      const sentAt = Date.now();
      try {
        return await withTimeout(timeoutMs, signal, async (ownSignal) => {
          const answer = await send(agent, host, request, ownSignal);
          const text = await readText(answer, LARGEST_BODY_BYTES);
          const { statusCode = 0, headers } = answer;
          return readResponse({ statusCode, headers, text }, request, sentAt);
        });
      } catch (error) {
        throw callError(error, request, signal);
      }
    },
    close: async () => agent.destroy(),
  };
}

/** Keeps the one socket from call to call, and asks for another when the service has closed it. */
class OpenedAgent extends Agent {
  readonly #open: () => Promise<Socket>;

  constructor(open: () => Promise<Socket>) {
    super({ keepAlive: true, maxSockets: 1 });
    this.#open = open;
  }

  override createConnection(...[, callback]: Parameters<Agent['createConnection']>): undefined {
    this.#open().then(
      (socket) => callback?.(null, socket),
      (error: Error) => callback?.(error, undefined as never),
    );
  }
}

function send(
  agent: Agent,
  host: string,
  { method, path, credential, body, accept = 'application/json' }: ServiceRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const call = httpRequest({
      agent,
      method,
      path,
      signal,
      maxHeaderSize: LARGEST_HEADER_BYTES,
      headers: {
        host,
        accept,
        'content-type': 'application/json',
        ...(credential && { authorization: `Bearer ${credential.reveal()}` }),
      },
    });
    call.once('response', resolve);
    call.on('error', reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
