import type { Reason } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { safeText } from '../../codes/redact.js';
import { BodyTooLong, CutShort, MAX_HEADER_BYTES, TimedOut } from './limits.js';
import type { ServiceRequest } from './message.js';
import { describeBytes } from './shown-bytes.js';
import { receivedAlert } from './tls-alert.js';

/** The part of a call during which the transport failed. */
export type TransportPhase = 'dns' | 'tcp' | 'tls' | 'http';

const BY_PHASE: Record<TransportPhase, Readonly<Record<string, Reason>>> = {
  dns: {
    ENOTFOUND: 'dns.not-found',
    ENODATA: 'dns.not-found',
    ENONAME: 'dns.not-found',
    EALIAS: 'dns.not-found: empty alias',
    ENORECURSION: 'dns.server-failed: no recursion',
    ETIMEOUT: 'dns.server-failed: no answer',
    ETIMEDOUT: 'dns.server-failed: no answer',
  },
  tcp: {
    ETIMEDOUT: 'tcp.timeout',
    ECONNREFUSED: 'tcp.refused',
    EHOSTUNREACH: 'tcp.unreachable',
    ENETUNREACH: 'tcp.unreachable',
    EADDRNOTAVAIL: 'tcp.unreachable',
    ENETDOWN: 'tcp.unreachable',
    EHOSTDOWN: 'tcp.unreachable',
  },
  tls: {
    ETIMEDOUT: 'tls.timeout',
    ECONNRESET: 'tls.reset',
    EPIPE: 'tls.reset',
    ECONNABORTED: 'tls.reset',
    // The connection was gone before the handshake began.
    ERR_STREAM_DESTROYED: 'tls.reset',
    ERR_TLS_CERT_ALTNAME_INVALID: 'tls.name-mismatch',
    CERT_HAS_EXPIRED: 'tls.expired',
    CERT_NOT_YET_VALID: 'tls.expired: not yet valid',
    ERR_SSL_WRONG_VERSION_NUMBER: 'tls.not-tls',
    ERR_SSL_PACKET_LENGTH_TOO_LONG: 'tls.not-tls',
    // The same, as OpenSSL says it from Node.js 22 on.
    ERR_SSL_DATA_LENGTH_TOO_LONG: 'tls.not-tls',
    ERR_SSL_RECORD_LAYER_FAILURE: 'tls.not-tls',
    // The frame of a record was right.
    ERR_SSL_UNEXPECTED_MESSAGE: 'tls.failed: out of turn',
    ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'tls.client-certificate',
    CLIENT_CERTIFICATE_DEMANDED: 'tls.client-certificate',
    ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC: 'tls.failed: damaged',
    ERR_SSL_CIPHER_OPERATION_FAILED: 'tls.failed: damaged',
    ERR_SSL_DIGEST_CHECK_FAILED: 'tls.failed: damaged',
    ERR_SSL_BAD_RECORD_TYPE: 'tls.failed: damaged',
  },
  http: {
    ETIMEDOUT: 'http.timeout',
    ECONNRESET: 'http.reset',
    EPIPE: 'http.reset',
    UND_ERR_SOCKET: 'http.reset',
    UND_ERR_CLOSED: 'http.reset',
    UND_ERR_DESTROYED: 'http.reset',
    UND_ERR_HEADERS_TIMEOUT: 'http.timeout',
    UND_ERR_BODY_TIMEOUT: 'http.timeout',
    UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'http.unexpected-answer: invalid HTTP',
    HTTPParserError: 'http.unexpected-answer: invalid HTTP',
    ERR_ASSERTION: 'http.unexpected-answer: invalid HTTP',
    CLIENT_CERTIFICATE_DEMANDED: 'tls.client-certificate',
    CUT_SHORT: 'http.reset: cut short',
    BODY_TOO_LONG: 'http.unexpected-answer: too long',
    STREAM_TOO_LONG: 'http.unexpected-answer: too long',
    UND_ERR_HEADERS_OVERFLOW: 'http.unexpected-answer: too long',
    ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'tls.client-certificate',
  },
};

/** The code of any other failure of a phase. */
const OTHERWISE: Record<TransportPhase, Reason> = {
  dns: 'dns.server-failed',
  tcp: 'tcp.unreachable: local error',
  tls: 'tls.failed',
  http: 'http.reset',
};

/** The code of a failure of the system, of OpenSSL or of the HTTP client; the error's own where it has one. */
export function transportCode(error: unknown, phase: TransportPhase): Reason {
  if (error instanceof ConnectivityError) return error.reason;
  if (phase === 'http' && isNoHttp(error)) return 'http.unexpected-answer';
  if (phase === 'http' && isRefusedByClient(error)) return 'http.unexpected-answer: invalid HTTP';
  const name = error instanceof TimedOut ? 'ETIMEDOUT' : errorName(error);
  if (Object.hasOwn(BY_PHASE[phase], name)) return BY_PHASE[phase][name] ?? OTHERWISE[phase];
  const alert = phase === 'dns' ? undefined : receivedAlert(error);
  if (alert !== undefined)
    return DAMAGED_THERE.has(alert) ? 'tls.failed: damaged' : 'tls.failed: alert';
  // Behind the handshake OpenSSL objects to nothing but records that it cannot read.
  if (phase === 'http' && name.startsWith('ERR_SSL_')) return 'tls.failed: damaged';
  return phase === 'tls' ? tlsCode(name) : OTHERWISE[phase];
}

/** The alerts of a server that cannot read a record from here. */
const DAMAGED_THERE = new Set(['bad_record_mac', 'decryption_failed', 'record_overflow']);

/** The machine-readable name of an error: `ECONNRESET`, `CERT_HAS_EXPIRED`, … */
export function errorName(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}

/** OpenSSL's verdicts that more trust would change; an authority may have a new key under its name. */
const UNTRUSTED =
  /^(UNABLE_TO_(GET_ISSUER_CERT(_LOCALLY)?|VERIFY_LEAF_SIGNATURE)|(DEPTH_ZERO_)?SELF_SIGNED_CERT(_IN_CHAIN)?|CERT_(UNTRUSTED|SIGNATURE_FAILURE))$/;

/** Its other verdicts on a certificate; those without a name of their own are `UNSPECIFIED`. */
const BAD_CERTIFICATE =
  /^(UNSPECIFIED|INVALID_(CA|PURPOSE)|PATH_LENGTH_EXCEEDED|CERT_|CRL_|ERROR_IN_CERT_|UNABLE_TO_)|^ERR_SSL_.*(KEY_TOO_SMALL|MD_TOO_WEAK|KEY_USAGE)/;

function tlsCode(name: string): Reason {
  if (UNTRUSTED.test(name)) return 'tls.untrusted';
  return BAD_CERTIFICATE.test(name) ? 'tls.bad-certificate' : OTHERWISE.tls;
}

/** Errors of a request on a connection that the server has closed. */
export const ENDS: readonly string[] = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'];

/** Tells whether the bytes do not even begin as an answer in HTTP/1.1. */
function isNoHttp(error: unknown): error is Error & { readonly data?: unknown } {
  return error instanceof Error && /\(Expected HTTP\//.test(error.message);
}

/** Tells whether the HTTP client ended the connection at an answer that it does not take, such as an unasked 100 or 101. */
function isRefusedByClient(error: unknown): boolean {
  return error instanceof Error && /^bad (response|upgrade)$/.test(error.message);
}

/**
 * Builds the error of a call without a complete answer: the caller's own reason, or the
 * transport's.
 *
 * @param how.isSecured TLS was spoken before the call: OpenSSL objects to a record, and not to a handshake
 * @param how.hasBegun a part of the answer came
 */
export function callError(error: unknown, request: ServiceRequest, how: CallFacts): unknown {
  if (how.signal?.aborted) return how.signal.reason;
  if (error instanceof ConnectivityError) return error;
  const call = `${request.method} ${request.path.replace(/\?.*/s, '')}`;
  return new ConnectivityError(callCode(error, how), describeFailure(error, call, how), {
    cause: error,
  });
}

interface CallFacts {
  readonly signal: AbortSignal | undefined;
  readonly isSecured?: boolean;
  readonly hasBegun?: boolean;
}

function describeFailure(error: unknown, call: string, { hasBegun }: CallFacts): string {
  if (error instanceof BodyTooLong) {
    const part = error.what === 'event' ? 'each event of the answer' : 'the answer';
    return `${part} to ${call} must be at most ${error.mostBytes} bytes, got: more (${error.code})`;
  }
  if (errorName(error) === 'UND_ERR_HEADERS_OVERFLOW') {
    return `the head of the answer to ${call} must be at most ${MAX_HEADER_BYTES} bytes, got: more`;
  }
  if (error instanceof CutShort) return `${call} got ${error.message}`;
  if (error instanceof TimedOut) {
    return `${call} got ${hasBegun ? 'nothing more' : 'no answer'} within ${Math.round(error.timeoutMs)} ms`;
  }
  const noHttp = describeNoHttp(error);
  return `${call} got ${noHttp ?? `no complete answer: ${errorName(error)}`}`;
}

/** Says in the HTTP client's own words why bytes are no answer, and of those that are no HTTP what they are. */
function describeNoHttp(error: unknown): string | undefined {
  if (!(error instanceof Error) || !isUnreadable(error)) return undefined;
  const { data } = error as { data?: unknown };
  const bytes = isNoHttp(error) && typeof data === 'string' ? describeBytes(Buffer.from(data)) : '';
  // The client asserts what its parser does not look at: that the status ends an answer of HTTP.
  const words = errorName(error) === 'ERR_ASSERTION' ? 'an impossible status' : error.message;
  const refusal = `${safeText(words)}${bytes && `, got: ${bytes}`}`;
  return error.name === 'HTTPParserError'
    ? `an answer that is no valid HTTP: ${refusal}`
    : `an answer that the HTTP client does not take: ${refusal}`;
}

function isUnreadable(error: Error): boolean {
  return (
    isRefusedByClient(error) ||
    BY_PHASE.http[errorName(error)] === 'http.unexpected-answer: invalid HTTP'
  );
}

/** A connection of its own fails in its phases too; the error tells them apart. */
function callCode(error: unknown, { isSecured }: CallFacts): Reason {
  const name = errorName(error);
  const { syscall } = error as { syscall?: unknown };
  if (syscall === 'getaddrinfo') return transportCode(error, 'dns');
  if (syscall === 'connect') return transportCode(error, 'tcp');
  if (name === 'UND_ERR_CONNECT_TIMEOUT') return 'tcp.timeout';
  const isOfTls = [UNTRUSTED, BAD_CERTIFICATE, /^ERR_(TLS|SSL)/].some((one) => one.test(name));
  if (isSecured && name.startsWith('ERR_SSL_')) return transportCode(error, 'http');
  return transportCode(error, isOfTls ? 'tls' : 'http');
}
