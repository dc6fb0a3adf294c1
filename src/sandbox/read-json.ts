import type { IncomingMessage } from 'node:http';
import { isObject, type JsonObject } from './json.js';

const MAX_BYTES = 1024 * 1024;

/**
 * Reads a request's body as a JSON object.
 *
 * @throws SyntaxError where it is none, or is longer than 1 MiB
 */
export async function readJson(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new SyntaxError('too long');
    chunks.push(chunk);
  }
  const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  if (!isObject(value)) throw new SyntaxError('not an object');
  return value;
}
