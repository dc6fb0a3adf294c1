import {
  Agent,
  createServer,
  type IncomingMessage,
  type RequestOptions,
  request,
  type ServerOptions,
} from 'node:http';
import { text } from 'node:stream/consumers';
import { urlToHttpOptions } from 'node:url';
import type { HttpAnswer } from '../../cloud-control/transport.js';
import { foreignCaller } from '../../net/host-name.js';
import { isObject, type JsonObject } from '../json.js';
import { type Listener, listen } from './listen.js';

/**
 * Explains why a request to one of the sandbox's APIs is refused; undefined where it may pass. Beside what
 * {@link foreignCaller} finds, a web page sends a content type that needs no permission.
 */
export function foreignPart(request: IncomingMessage): string | undefined {
  const foreign = foreignCaller(request.headers);
  if (foreign !== undefined) return foreign;
  const type = request.headers['content-type'] ?? '';
  if (/^application\/json\s*(;|$)/i.test(type)) return undefined;
  return `\`Content-Type\` must be application/json, got: ${JSON.stringify(type)}`;
}

const MAX_BYTES = 1024 * 1024;

/**
 * Reads a request's body as a JSON object.
 *
 * @throws SyntaxError where it is none, or is longer than 1 MiB
 */
export async function readJson(request: IncomingMessage): Promise<JsonObject> {
  const value: unknown = JSON.parse(await readBody(request, new SyntaxError('too long')));
  if (!isObject(value)) throw new SyntaxError('not an object');
  return value;
}

/** Reads a body of up to 1 MiB as text. */
export async function readBody(message: IncomingMessage, tooLong: Error): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw tooLong;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Serves JSON over HTTP on a free loopback port. @param answer never rejects */
export function serveJson(
  answer: (
    request: IncomingMessage,
  ) => Promise<{ readonly status: number; readonly body: unknown }>,
  options: ServerOptions = {},
): Promise<Listener> {
  const server = createServer(options, async (request, response) => {
    const { status, body } = await answer(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  return listen(server);
}

/** Sends a request. Rejects only where no whole answer came. */
export function sendRequest(
  options: RequestOptions,
  body = '',
  read: (response: IncomingMessage) => Promise<string> = text,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const call = request(options, (response) => {
      read(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    });
    call.on('error', reject);
    call.end(body);
  });
}

const agent = new Agent({ keepAlive: true });

/** Posts a JSON text. Rejects only where no whole answer came. */
export function httpPost(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<HttpAnswer> {
  const own = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  };
  const options = { method: 'POST', agent, headers: { ...own, ...headers } };
  return sendRequest({ ...urlToHttpOptions(url), ...options }, body);
}
