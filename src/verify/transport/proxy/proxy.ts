import type { Socket } from 'node:net';
import { ConnectivityError, invalidOption } from '../../../codes/connectivity-error.js';
import { safeText, withoutUser } from '../../../codes/redact.js';
import { Secret } from '../../../codes/secret.js';
import { describeBytes } from '../../../service/http/shown-bytes.js';
import { bracketed, type HostPort, readHost, readPort } from '../addresses.js';

export interface ProxyTarget extends HostPort {
  /** `user:password`. */
  readonly credentials: Secret | undefined;
  /** The URL without credentials, to be shown. */
  readonly shown: string;
}

/** @throws ConnectivityError `usage.invalid`; the message shows no credentials */
export function parseProxy(text: string, field = 'proxy'): ProxyTarget {
  const target = text.includes('://') ? readProxy(text) : undefined;
  if (target !== undefined) return target;
  // Spelled out: a placeholder URL looks like one with a password to what hides them.
  const rule = 'be an http URL with a host and a port, with or without credentials';
  throw invalidOption(field, `${rule}, got: "${withoutUser(text)}"`);
}

/**
 * Takes a text without scheme too, as clients do with their variables.
 *
 * @returns undefined where the text is no URL of an HTTP proxy
 */
export function readProxy(text: string): ProxyTarget | undefined {
  const full = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (url?.protocol !== 'http:' || url.hostname === '') return undefined;
  const [host, port] = [readHost(url), readPort(url)];
  const { username, password } = url;
  const credentials =
    username === '' && password === ''
      ? undefined
      : new Secret(`${decoded(username)}:${decoded(password)}`);
  return { host, port, credentials, shown: `http://${bracketed(host)}:${port}` };
}

/** A password may hold a percent sign that begins no code; it is then a character of its own. */
function decoded(text: string): string {
  return text
    .split(/((?:%[0-9a-f]{2})+)/i)
    .map((part, i) => (i % 2 === 0 ? part : decodedBytes(part)))
    .join('');
}

function decodedBytes(codes: string): string {
  try {
    return decodeURIComponent(codes);
  } catch {
    return codes;
  }
}

const MAX_HEAD_BYTES = 16 * 1024;

/**
 * Asks a proxy, over an open connection to it, for a tunnel.
 *
 * @throws ConnectivityError `proxy.refused`
 */
export async function openTunnel(
  socket: Socket,
  proxy: ProxyTarget,
  { host, port }: HostPort,
): Promise<void> {
  const target = `${bracketed(host)}:${port}`;
  const login = proxy.credentials?.reveal();
  const lines = [`CONNECT ${target} HTTP/1.1`, `Host: ${target}`];
  if (login !== undefined) {
    lines.push(`Proxy-Authorization: Basic ${Buffer.from(login).toString('base64')}`);
  }
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const { isOpen, status, reason } = await readAnswer(socket, proxy);
  if (isOpen) return;
  const isOther = OTHER_LOGIN.test(reason);
  const rule = isOther ? ' without a login, or by Basic: no other is supported' : '';
  throw new ConnectivityError(
    isOther ? 'proxy.refused: other login' : 'proxy.refused',
    `the proxy ${proxy.shown} must open a tunnel to ${target}${rule}, got: HTTP ${status}${reason}`,
  );
}

/** NTLM, Negotiate, Digest and the like, without a choice of the one that is sent here. */
const OTHER_LOGIN = /\(a login by (?!.*\bbasic\b)/i;

interface ProxyAnswer {
  readonly isOpen: boolean;
  readonly status: number;
  /** More of a refusal than its status. */
  readonly reason: string;
}

/** Some proxies end their lines without CR. */
const HEAD_END = /\r?\n\r?\n/;

function readAnswer(socket: Socket, proxy: ProxyTarget): Promise<ProxyAnswer> {
  return new Promise((resolve, reject) => {
    let seen = Buffer.alloc(0);
    const finish = (result: ProxyAnswer | Error) => {
      socket.off('data', take).off('end', ended).off('close', ended).pause();
      if (result instanceof Error) reject(result);
      else resolve(result);
    };
    const noHttp = (why: string) =>
      finish(
        new ConnectivityError(
          'proxy.refused: no answer',
          `the proxy ${proxy.shown} must answer CONNECT as an HTTP proxy does, got: ${why}`,
        ),
      );
    const ended = () =>
      noHttp(`${seen.length > 0 ? `${describeBytes(seen)} and ` : ''}the end of the connection`);
    const take = (chunk: Buffer) => {
      seen = Buffer.concat([seen, chunk]);
      const text = seen.toString('latin1');
      const end = HEAD_END.exec(text);
      if (end === null) {
        if (seen.length > MAX_HEAD_BYTES) noHttp('a head without end');
        return;
      }
      const head = text.slice(0, end.index);
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1];
      const rest = seen.subarray(end.index + end[0].length);
      // An interim answer, which anybody may send (RFC 9110, 15.2).
      if (status?.startsWith('1') && status !== '101') {
        seen = Buffer.alloc(0);
        take(rest);
        return;
      }
      if (status === undefined) noHttp(`"${safeText(head.slice(0, SHOWN_CHARACTERS))}"`);
      else finish(judge(Number(status), head, rest));
      if (rest.length > 0) socket.unshift(rest);
    };
    socket.on('data', take).on('end', ended).on('close', ended);
  });
}

const SHOWN_CHARACTERS = 60;

/**
 * Judges an answer: with a status of success a login is over, whatever the head still says of one;
 * a page is no tunnel.
 */
function judge(status: number, head: string, rest: Buffer): ProxyAnswer {
  const isSuccess = status >= 200 && status < 300;
  const again = /^retry-after: *([^\r\n]+)/im.exec(head)?.[1]?.trim();
  const wait = isSuccess || again === undefined ? '' : `, Retry-After: ${safeText(again)}`;
  const schemes = [...head.matchAll(/^proxy-authenticate: *([\w-]+)/gim)].map(([, one]) => one);
  if (!isSuccess && schemes.length > 0) {
    const login = ` (a login by ${safeText(schemes.join(' or '))})`;
    return { isOpen: false, status, reason: `${login}${wait}` };
  }
  const [, location] = /^location: *([^\s?#]+)/im.exec(head) ?? [];
  if (!isSuccess && location !== undefined) {
    return { isOpen: false, status, reason: ` to ${safeText(location)}${wait}` };
  }
  const hasBody = rest.length > 0 && /^(content-length: *[1-9]|transfer-encoding:)/im.test(head);
  if (!hasBody) return { isOpen: isSuccess, status, reason: wait };
  const shown = safeText(rest.toString('latin1', 0, SHOWN_CHARACTERS));
  return { isOpen: false, status, reason: `${wait} with a body in place of a tunnel: "${shown}"` };
}
