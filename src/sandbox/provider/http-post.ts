import { Agent, request } from 'node:http';
import type { HttpAnswer } from '../../cloud-control/transport.js';

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
