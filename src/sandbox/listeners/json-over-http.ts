import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { HttpAnswer } from '../../cloud-control/transport.js';
import { foreignCaller } from '../../net/host-name.js';
import { isObject, type JsonObject } from '../json.js';

/**
 * Why a request to one of the sandbox's APIs is refused; undefined where it may pass. Beside what
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

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const agent = new Agent({ keepAlive: true });

/** Posts a JSON text. Rejects only where no whole answer came. */
export function httpPost(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const call = request(url, {
      method: 'POST',
      agent,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        ...headers,
      },
    });
    call.on('error', reject);
    call.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
      );
    });
    call.end(body);
  });
}
