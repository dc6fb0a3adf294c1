import type { IncomingMessage } from 'node:http';

/**
 * Why a request to one of the sandbox's APIs is refused; undefined where it may pass. A web page that
 * is open in a browser on this machine reaches loopback as well: it sends an origin, the name that it
 * has led to loopback as the host, or a content type that needs no permission.
 */
export function foreignPart(request: IncomingMessage): string | undefined {
  const foreign = foreignCaller(request);
  if (foreign !== undefined) return foreign;
  const type = request.headers['content-type'] ?? '';
  if (/^application\/json\s*(;|$)/i.test(type)) return undefined;
  return `\`Content-Type\` must be application/json, got: ${JSON.stringify(type)}`;
}

/** The same for a request without a body, which changes nothing. */
export function foreignCaller({ headers }: IncomingMessage): string | undefined {
  const { host = '', origin } = headers;
  if (!/^(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:\d+)?$/i.test(host)) {
    return `\`Host\` must be a loopback address, got: ${JSON.stringify(host)}`;
  }
  if (origin === undefined) return undefined;
  return `\`Origin\` must be absent, got: ${JSON.stringify(origin)}`;
}
