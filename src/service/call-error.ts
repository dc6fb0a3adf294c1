import type { Code } from '../codes/codes.js';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { BodyTooLong } from './body.js';
import type { ServiceRequest } from './service-request.js';
import { errorName, isCertificateVerdict, transportCode } from './transport-code.js';

/** What a call ended with that got no complete answer: the caller's own reason, or the transport's. */
export function callError(error: unknown, request: ServiceRequest, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof ConnectivityError) return error;
  if (error instanceof BodyTooLong) return tooLong(error, request);
  return new ConnectivityError(
    callCode(error),
    `${request.method} ${pathOf(request)} got no complete answer: ${errorName(error)}`,
    { cause: error },
  );
}

function tooLong(error: BodyTooLong, request: ServiceRequest): ConnectivityError {
  const { what, mostBytes } = error;
  const part = what === 'event' ? 'each event of the answer' : 'the answer';
  return new ConnectivityError(
    callCode(error),
    `${part} to ${request.method} ${pathOf(request)} must be at most ${mostBytes} bytes, got: more (${error.code})`,
    { cause: error },
  );
}

/** A connection of its own fails in its phases too; they are told apart by the error. */
function callCode(error: unknown): Code {
  const name = errorName(error);
  const { syscall } = error as { syscall?: unknown };
  if (syscall === 'getaddrinfo') return transportCode(error, 'dns');
  if (syscall === 'connect') return transportCode(error, 'tcp');
  if (name === 'UND_ERR_CONNECT_TIMEOUT') return 'tcp.timeout';
  const isVerdictOnTls = isCertificateVerdict(name) || /^ERR_(TLS|SSL)/.test(name);
  return transportCode(error, isVerdictOnTls ? 'tls' : 'http');
}

function pathOf({ path }: ServiceRequest): string {
  return path.split('?')[0] ?? path;
}
