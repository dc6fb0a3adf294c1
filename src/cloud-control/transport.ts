import { Agent, type Dispatcher, EnvHttpProxyAgent, ProxyAgent } from 'undici';
import type { HttpAnswer } from './read-result.js';

export interface TransportRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends one request and answers what came back, whatever its status. */
export type Transport = (request: TransportRequest) => Promise<HttpAnswer>;

const TIMEOUT_MS = 30_000;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** @param proxy the URL of a proxy. @default - as the environment says */
export function httpTransport(proxy: string | undefined): Transport & { close(): Promise<void> } {
  const dispatchers = new Map<boolean, Dispatcher>();
  // As the provider's HTTP library has it, loopback is never called through a proxy.
  const dispatcherFor = (url: URL) => {
    const isLocal = LOOPBACK.test(url.hostname);
    const known = dispatchers.get(isLocal);
    if (known !== undefined) return known;
    const made = isLocal ? new Agent() : proxy ? new ProxyAgent(proxy) : new EnvHttpProxyAgent();
    dispatchers.set(isLocal, made);
    return made;
  };
  const send: Transport = async ({ method, url, headers, body }) => {
    const answer = await dispatcherFor(url).request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers,
      body: method === 'POST' ? body : null,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: answer.statusCode, body: await answer.body.text() };
  };
  const close = async () => {
    await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.close()));
  };
  return Object.assign(send, { close });
}
