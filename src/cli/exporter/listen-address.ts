import { isIP } from 'node:net';
import { InvalidArgumentError } from 'commander';

/** Where a server listens. */
export interface ListenAddress {
  /** An IP address. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
}

export const DEFAULT_LISTEN: ListenAddress = { host: '127.0.0.1', port: 9464 };

const LARGEST_PORT = 65_535;

/** Reads `IPv4:PORT` or `[IPv6]:PORT`; a name may have several addresses, or another one later. */
export function readListenAddress(text: string): ListenAddress {
  const [, inBrackets, plain, portText = ''] =
    /^(?:\[([^\]]+)\]|([^:[\]]+)):(0|[1-9]\d{0,4})$/.exec(text) ?? [];
  const host = inBrackets ?? plain ?? '';
  const port = Number(portText);
  const family = inBrackets === undefined ? 4 : 6;
  if (isIP(host) !== family || port > LARGEST_PORT) {
    throw new InvalidArgumentError('It must be an IP address and a port, such as 127.0.0.1:9464.');
  }
  return { host, port };
}

/** Whether only this machine reaches it. */
export function isLoopback({ host }: ListenAddress): boolean {
  return host === '::1' || host.startsWith('127.');
}

export function urlOf({ host, port }: ListenAddress): string {
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}
