import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { type Answer, Client } from './client.js';

/** One session's calls of the API, by a client that shares no code with the service. */
export class ApiClient {
  readonly #client: Client;
  readonly #token: Promise<string>;

  /** @param sessionName signed into the token; undefined: none */
  constructor(sandbox: Sandbox, sessionName?: string) {
    this.#client = new Client(sandbox);
    const jwt = this.#client.jwt(sessionName === undefined ? {} : { session_name: sessionName });
    this.#token = this.#client.token(jwt).then(({ body }) => String(body.access_token));
  }

  async get(path: string, query: Record<string, string> = {}): Promise<Answer> {
    return await this.#call('GET', `${path}?${new URLSearchParams(query)}`);
  }

  async post(path: string, body: object, query: Record<string, string> = {}): Promise<Answer> {
    return await this.#call('POST', `${path}?${new URLSearchParams(query)}`, body);
  }

  async #call(method: string, path: string, body?: object): Promise<Answer> {
    const headers = {
      authorization: `Bearer ${await this.#token}`,
      'content-type': 'application/json',
    };
    const text = body && { body: JSON.stringify(body) };
    return await this.#client.call({ method, path, headers, ...text });
  }
}
