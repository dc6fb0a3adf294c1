import type { Socket } from 'node:net';
import { ConnectivityError } from '../../../codes/connectivity-error.js';
import { bracketed } from '../host-port.js';
import type { ProxyTarget } from './proxy-target.js';

const LARGEST_HEAD_BYTES = 16 * 1024;

/**
 * Asks a proxy, over an open connection to it, for a tunnel.
 *
 * @throws ConnectivityError `proxy.refused`, `proxy.unreachable`
 */
export async function openTunnel(
  socket: Socket,
  proxy: ProxyTarget,
  host: string,
  port: number,
): Promise<void> {
  const target = `${bracketed(host)}:${port}`;
  const login = proxy.credentials?.reveal();
  const lines = [
    `CONNECT ${target} HTTP/1.1`,
    `Host: ${target}`,
    ...(login === undefined
      ? []
      : [`Proxy-Authorization: Basic ${Buffer.from(login).toString('base64')}`]),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const status = await readStatus(socket, proxy);
  if (status >= 200 && status < 300) return;
  throw new ConnectivityError(
    'proxy.refused',
    `the proxy ${proxy.shown} must open a tunnel to ${target}, got: HTTP ${status}`,
  );
}

function readStatus(socket: Socket, proxy: ProxyTarget): Promise<number> {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    const finish = (result: number | Error) => {
      socket.off('data', take).off('end', ended).off('close', ended).pause();
      if (typeof result === 'number') resolve(result);
      else reject(result);
    };
    const noHttp = (why: string) =>
      finish(
        new ConnectivityError(
          'proxy.unreachable',
          `the proxy ${proxy.shown} must answer CONNECT as an HTTP proxy does, got: ${why}`,
        ),
      );
    const ended = () => noHttp('the end of the connection');
    const take = (chunk: Buffer) => {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) {
        if (head.length > LARGEST_HEAD_BYTES) noHttp('a head without end');
        return;
      }
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(head.toString('latin1'))?.[1];
      const rest = head.subarray(end + 4);
      if (status === undefined) noHttp('something else');
      else finish(Number(status));
      if (rest.length > 0) socket.unshift(rest);
    };
    socket.on('data', take).on('end', ended).on('close', ended);
  });
}
