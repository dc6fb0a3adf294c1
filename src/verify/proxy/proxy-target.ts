import { ConnectivityError } from '../../codes/connectivity-error.js';
import { Secret } from '../../service/secret.js';
import { bracketed, hostOf } from '../host-port.js';

/** An HTTP proxy to go through. */
export interface ProxyTarget {
  readonly host: string;
  readonly port: number;
  /** `user:password`. */
  readonly credentials: Secret | undefined;
  /** The URL without credentials, to be shown. */
  readonly shown: string;
}

/** @throws ConnectivityError `usage.invalid`; the message shows no credentials */
export function parseProxy(text: string, field = 'proxy'): ProxyTarget {
  const target = text.includes('://') ? readProxy(text) : undefined;
  if (target !== undefined) return target;
  throw new ConnectivityError(
    'usage.invalid',
    `\`${field}\` must be http://[USER:PASSWORD@]HOST:PORT, got: "${shownText(text)}"`,
  );
}

/**
 * Takes a text without scheme too, as clients do with their variables.
 *
 * @returns undefined where the text is no URL of an HTTP proxy
 */
export function readProxy(text: string): ProxyTarget | undefined {
  const url = readUrl(text.includes('://') ? text : `http://${text}`);
  if (url?.protocol !== 'http:' || url.hostname === '') return undefined;
  const host = hostOf(url);
  const port = Number(url.port || '80');
  const { username, password } = url;
  const credentials =
    username === '' && password === ''
      ? undefined
      : new Secret(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return { host, port, credentials, shown: `http://${bracketed(host)}:${port}` };
}

function readUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function shownText(text: string): string {
  return text.replace(/\/\/.*@|^[^/]*@/, (found) => (found.startsWith('//') ? '//…@' : '…@'));
}
