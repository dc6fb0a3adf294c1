import { createSign, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly scheme?: 'https' | 'http';
  /** @default the trusted listener */
  readonly port?: number;
  readonly serverName?: string;
}

/** A client of the service that shares no code with it: node:crypto signs, node:https speaks. */
export class Client {
  /** A call that takes longer ends as silent. */
  patienceMs = 10_000;

  constructor(private readonly sandbox: Sandbox) {}

  jwt(claims: object = {}, header: object = {}, key = this.#key()): string {
    const { env } = this.sandbox;
    const now = Math.floor(Date.now() / 1000);
    const jti = randomBytes(33).toString('hex');
    const iss = env.SECURE_CONNECTIVITY_APP_ID;
    const all = { iss, aud: 'api.sandbox.example', iat: now, exp: now + 300, jti, ...claims };
    const head = { alg: 'RS256', typ: 'JWT', kid: env.SECURE_CONNECTIVITY_KEY_ID, ...header };
    const signed = [head, all].map((part) => base64url(JSON.stringify(part))).join('.');
    return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`;
  }

  token(jwt = this.jwt(), body: object = {}, call: Partial<Call> = {}): Promise<Answer> {
    const { SECURE_CONNECTIVITY_ENTERPRISE_ID: enterprise } = this.sandbox.env;
    return this.call({
      method: 'POST',
      path: `/api/permission/oauth2/enterprise_id/${enterprise}/token`,
      headers: { authorization: `Bearer ${jwt}`, 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: GRANT, ...body }),
      ...call,
    });
  }

  async workspaces(query = '', token?: string): Promise<Answer> {
    const { body } = token === undefined ? await this.token() : { body: { access_token: token } };
    const headers = { authorization: `Bearer ${String(body.access_token)}` };
    return this.call({ method: 'GET', path: `/v1/workspaces${query}`, headers });
  }

  call({ method, path, headers, body, scheme = 'https', port, serverName }: Call): Promise<Answer> {
    const { ports, env } = this.sandbox;
    const place = { host: '127.0.0.1', port: port ?? ports[scheme], path };
    const options = { ...place, method, headers, timeout: this.patienceMs };
    const ca = readFileSync(env.SECURE_CONNECTIVITY_CA_FILE ?? '', 'utf8');
    const tls = { ca, servername: serverName ?? 'api.sandbox.example', agent: false as const };
    return new Promise((resolve, reject) => {
      const request =
        scheme === 'https' ? httpsRequest({ ...options, ...tls }) : httpRequest(options);
      request.once('timeout', () => request.destroy(new Error('silent')));
      request.once('error', reject);
      request.once('response', async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
        const text = Buffer.concat(chunks).toString('utf8');
        const isJson = response.headers['content-type'] === 'application/json';
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
        });
      });
      request.end(body);
    });
  }

  #key(): string {
    return readFileSync(this.sandbox.env.SECURE_CONNECTIVITY_PRIVATE_KEY_FILE ?? '', 'utf8');
  }
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
