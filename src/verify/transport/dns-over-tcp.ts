import { connect } from 'node:net';
import { isFileShortage } from '../../codes/file-shortage.js';
import { TimedOut, withTimeout } from '../../service/http/limits.js';
import { errorName } from '../../service/http/transport-code.js';
import { hostAndPort } from './addresses.js';
import { dnsError } from './dns-message.js';

/** Each message has its length before it. */
const LENGTH_BYTES = 2;

/**
 * Asks a DNS server over TCP for the answer that was truncated over UDP.
 *
 * @param server `IP:PORT`
 * @throws Error `ETRUNCATED`, which says why it cannot be had; the signal's reason; a lack of files as it is
 */
export async function queryOverTcp(
  server: string,
  query: Buffer,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Buffer> {
  try {
    return await withTimeout(timeoutMs, signal, (own) => exchange(server, query, own));
  } catch (error) {
    if (signal.aborted || isFileShortage(error)) throw error;
    const got =
      error instanceof TimedOut ? `nothing within ${Math.round(timeoutMs)} ms` : errorName(error);
    throw dnsError('ETRUNCATED', `the answer over UDP is cut off, and over TCP: ${got}`);
  }
}

function exchange(server: string, query: Buffer, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(hostAndPort(server));
    let seen = Buffer.alloc(0);
    signal.addEventListener('abort', () => socket.destroy(signal.reason as Error), { once: true });
    socket.on('error', reject);
    socket.once('close', () => reject(dnsError('ECONNRESET')));
    socket.on('data', (piece: Buffer) => {
      seen = Buffer.concat([seen, piece]);
      if (seen.length < LENGTH_BYTES) return;
      const end = LENGTH_BYTES + seen.readUInt16BE(0);
      if (seen.length < end) return;
      resolve(seen.subarray(LENGTH_BYTES, end));
      socket.destroy();
    });
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt16BE(query.length, 0);
    socket.write(Buffer.concat([length, query]));
  });
}
