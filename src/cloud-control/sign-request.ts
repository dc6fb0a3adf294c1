import { createHash, createHmac } from 'node:crypto';
import type { Secret } from '../codes/secret.js';

/** The identity that calls the cloud. */
export interface Credentials {
  readonly accessKey: string;
  readonly secretKey: Secret;
  readonly sessionToken?: Secret | undefined;
}

/** The parts of a request that a signature covers besides its headers. */
interface UnsignedRequest {
  readonly method: 'GET' | 'POST';
  /** With the whole query. */
  readonly url: URL;
  readonly body: string;
  readonly service: string;
  readonly region: string;
  readonly contentType: string;
}

/** The headers that prove who calls, in the cloud's HMAC-SHA256 scheme. */
export function signRequest(
  request: UnsignedRequest,
  { accessKey, secretKey, sessionToken }: Credentials,
  now = new Date(),
): Record<string, string> {
  const date = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const signed: Record<string, string> = {
    'content-type': request.contentType,
    host: signedHost(request.url),
    'x-content-sha256': sha256(request.body),
    'x-date': date,
    ...(sessionToken && { 'x-security-token': sessionToken.reveal() }),
  };
  const names = Object.keys(signed).sort();
  const canonical = [
    request.method,
    request.url.pathname,
    canonicalQuery(request.url),
    ...names.map((name) => `${name}:${signed[name]}`),
    '',
    names.join(';'),
    signed['x-content-sha256'],
  ].join('\n');
  const scope = [date.slice(0, 8), request.region, request.service, 'request'];
  const text = ['HMAC-SHA256', date, scope.join('/'), sha256(canonical)].join('\n');
  const key = scope.reduce<string | Buffer>(hmac, secretKey.reveal());
  const { host: _, ...headers } = signed;
  return {
    ...headers,
    authorization: `HMAC-SHA256 Credential=${accessKey}/${scope.join('/')}, SignedHeaders=${names.join(';')}, Signature=${hmac(key, text).toString('hex')}`,
  };
}

/** Returns the host as it is signed, without a default port. */
function signedHost({ hostname, host, port }: URL): string {
  return port === '80' || port === '443' ? hostname : host;
}

function canonicalQuery({ searchParams }: URL): string {
  return [...searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
