import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A call of the cloud's API. */
export interface RecordedCall {
  readonly action: string;
  readonly type: string;
  /** The same for a call that is made again. @default - it is no write */
  readonly token?: string;
}

/** The actions of the API that read an object, or a list of them, and change nothing. */
const READS = ['GetResource', 'ListResources'];

/** An answer in the cloud's place; `lost` is none. */
export type OtherAnswer =
  | {
      readonly status: number;
      readonly code: string;
      readonly message?: string;
      /** The call happens all the same. */
      readonly isDone?: true;
    }
  | 'lost';

const refuseWrites = ({ action }: RecordedCall): OtherAnswer | undefined =>
  READS.includes(action) ? undefined : { status: 403, code: 'AccessDenied' };

/**
 * Stands before a cloud and records every call to it. What is no read is recorded and refused, so that
 * nothing of it happens.
 *
 * @param endpoint of the cloud, `http://127.0.0.1:PORT` or without a scheme
 * @param other the answer in the cloud's place. @default - a refusal of everything that is no read
 */
export async function recordCalls(endpoint: string, other = refuseWrites) {
  const calls: RecordedCall[] = [];
  const target = new URL(endpoint.includes('://') ? endpoint : `http://${endpoint}`);
  const server = createServer(async (incoming, answer) => {
    const body = await text(incoming);
    const action = new URLSearchParams(incoming.url?.split('?')[1]).get('Action') ?? '';
    const { TypeName: type, ClientToken: token } = JSON.parse(body || '{}');
    const call = { action, type: String(type), ...(token && { token: String(token) }) };
    calls.push(call);
    const given = other(call);
    const answerOther = () => {
      if (given === undefined || given === 'lost') return answer.destroy();
      const { status, code, message } = given;
      const refused = { ResponseMetadata: { Error: { Code: code, Message: message } } };
      return answer.writeHead(status).end(JSON.stringify(refused));
    };
    if (typeof given === 'object' && !given.isDone) {
      answerOther();
      return;
    }
    const { method, headers, url: path } = incoming;
    const { hostname: host, port } = target;
    const forwarded = request({ host, port, method, headers, path }, (answered) => {
      if (given !== undefined) {
        answered.resume();
        answerOther();
        return;
      }
      answer.writeHead(answered.statusCode ?? 500, answered.headers);
      answered.pipe(answer);
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
