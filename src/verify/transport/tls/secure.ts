import { randomBytes } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import tls, {
  checkServerIdentity,
  connect,
  type DetailedPeerCertificate,
  type TLSSocket,
} from 'node:tls';
import { present } from '../../../files/json.js';
import { TimedOut } from '../../../service/http/limits.js';
import { errorName } from '../../../service/http/transport-code.js';
import type { LooseEvidence } from '../../model/findings.js';
import type { LinkContext } from '../context.js';
import type { Handshake } from '../path.js';
import { describeCertificate, findOutOfTime } from './certificate-facts.js';
import { endsAtDefault, missingRoot } from './trust.js';

/** A failed handshake, with what was seen of the other side until then. */
class HandshakeError extends Error {
  /** Names the failure where a call opened the connection. */
  readonly code: string;

  constructor(
    override readonly cause: Error,
    readonly seen: LooseEvidence,
  ) {
    super(cause.message);
    this.code = errorName(cause);
  }
}

/** The reason of a failed handshake, with what the other side showed until then. */
export function readHandshakeError(
  error: unknown,
): Pick<HandshakeError, 'seen'> & { readonly cause: unknown } {
  return error instanceof HandshakeError ? error : { cause: error, seen: {} };
}

/**
 * Adds to the error of a handshake that ended without a word how much of an answer had come: what sent that
 * is neither silent nor missing.
 *
 * @param late of these bytes, those that came in the last quarter of the time
 */
export function withReceived(error: unknown, bytes: number, late: number): unknown {
  const { cause, seen } = readHandshakeError(error);
  const isLost = cause instanceof TimedOut || LOST.includes(errorName(cause));
  if (bytes === 0 || !isLost || !(cause instanceof Error)) return error;
  const lateBytes = late > 0 ? late : undefined;
  return new HandshakeError(cause, { ...seen, received: bytes, lateBytes });
}

const LOST = ['ECONNRESET', 'EPIPE', 'ECONNABORTED'];

export interface Secured extends Handshake {
  readonly socket: Socket;
}

/** Makes a TLS connection of an open one and verifies chain and name. @throws HandshakeError */
export async function startTls(
  context: SecureOptions,
  plain: Duplex,
  signal: AbortSignal,
): Promise<Secured> {
  if (plain.destroyed) throw new HandshakeError(plain.errored ?? closedEarly(), {});
  const serverName = context.tlsServerName;
  return await new Promise((resolve, reject) => {
    const seen: SeenPeer = { certificate: {}, chain: undefined, hasKeys: false };
    const socket = connectTls(context, plain, seen);
    const fail = (error: Error) => reject(toHandshakeError(error, serverName, seen));
    const closed = () => fail(closedEarly());
    const stop = () => socket.destroy(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    socket.on('error', fail);
    socket.once('close', closed);
    socket.once('secureConnect', () => {
      signal.removeEventListener('abort', stop);
      socket.off('close', closed).off('error', fail);
      let objection: Error | undefined;
      socket.on('error', (error) => {
        objection ??= error;
        // Node.js leaves the connection open where a record cannot be read, and nothing more comes.
        socket.destroy(error);
      });
      const protocol = socket.getProtocol() ?? undefined;
      const { ownAuthority, rootless } = context.run;
      const trust = ownAuthority && !endsAtDefault(socket) ? `by ${ownAuthority}` : undefined;
      resolve({
        socket,
        objection: () => objection,
        evidence: {
          ...{ serverName, protocol, ...seen.certificate, trust },
          missingRoot: rootless && missingRoot(socket, rootless),
        },
      });
    });
  });
}

type SecureOptions = Pick<LinkContext, 'run' | 'tlsServerName' | 'sendsServerName'>;

/** The other side of a handshake, as far as it has been seen. */
interface SeenPeer {
  certificate: LooseEvidence;
  /** Only where it is not trusted. */
  chain: DetailedPeerCertificate | undefined;
  /** Up to TLS 1.2 there are keys once the server has said everything, its demands included. */
  hasKeys: boolean;
}

function connectTls(
  { run, tlsServerName, sendsServerName }: SecureOptions,
  plain: Duplex,
  seen: SeenPeer,
): TLSSocket {
  const socket = connect({
    socket: plain,
    // An address cannot be sent as server name, but it is verified against the certificate.
    ...(isIP(tlsServerName) === 0 && sendsServerName
      ? { servername: tlsServerName }
      : { servername: '', host: tlsServerName }),
    // Explicit: NODE_TLS_REJECT_UNAUTHORIZED could turn it off.
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    secureContext: run.secureContext(),
    ...present({ session: fillingSession() }),
    checkServerIdentity: (host, found) => {
      seen.certificate = describeCertificate(found);
      return checkServerIdentity(host, found);
    },
  });
  // This event comes before the verdict on the certificate, which destroys the socket when it is bad.
  socket.prependListener('secure', () => {
    if (isVerified(socket)) return;
    seen.chain = socket.getPeerCertificate(true);
    seen.certificate = describeCertificate(seen.chain);
  });
  socket.once('keylog', (line: Buffer) => {
    seen.hasKeys = line.toString('latin1', 0, 14) === 'CLIENT_RANDOM ';
    if (seen.hasKeys) seen.certificate = describeCertificate(socket.getPeerCertificate());
  });
  return socket;
}

/** Alerts of a server that demands a client certificate. */
const NO_CERTIFICATE = /ALERT_(HANDSHAKE_FAILURE|BAD_CERTIFICATE|NO_CERTIFICATE)$/;

function toHandshakeError(
  error: Error,
  serverName: string,
  { certificate, chain, hasKeys }: SeenPeer,
): HandshakeError {
  const cause = hasKeys ? toDemand(error) : error;
  const outOfTime = chain && findOutOfTime(error, chain);
  return new HandshakeError(cause, { serverName, ...certificate, ...outOfTime });
}

/** The server knows name, version and cipher by now: nothing but a certificate is left to refuse. */
function toDemand(error: Error): Error {
  const isDemand = NO_CERTIFICATE.test(errorName(error));
  return isDemand ? failure(error.message, 'CLIENT_CERTIFICATE_DEMANDED') : error;
}

/**
 * Reads OpenSSL's verdict on the chain, as Node.js itself does; false if this Node no longer has
 * it.
 */
function isVerified(socket: TLSSocket): boolean {
  const { ssl } = socket as { ssl?: { verifyError?: () => unknown } };
  return typeof ssl?.verifyError === 'function' && (ssl.verifyError() ?? null) === null;
}

function closedEarly(): Error {
  return failure('the connection was closed during the handshake', 'ECONNRESET');
}

function failure(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}

/** The bytes of a key of X25519MLKEM768, which a hello of OpenSSL has from 3.5 on. */
const KEY_BYTES = 1_216;

const TAGS = { integer: 0x02, octets: 0x04, sequence: 0x30, ticket: 0xaa } as const;

/**
 * Makes a TLS session whose ticket gives a hello the size that today's clients send: it fills a packet, and
 * a server passes over a ticket that it cannot read (RFC 5077, 3.1). Nobody can resume the session,
 * for its secret is random and goes nowhere.
 *
 * @returns undefined where this Node.js sends as much by itself
 */
export function fillingSession(): Buffer | undefined {
  const [major = 0, minor = 0] = process.versions.openssl.split('.').map(Number);
  const isLarge = major > 3 || (major === 3 && minor >= 5);
  if (isLarge && tls.DEFAULT_ECDH_CURVE === 'auto') return undefined;
  return encode('sequence', [
    encode('integer', [Buffer.of(1)]),
    encode('integer', [Buffer.of(3, 3)]),
    // ECDHE-RSA-AES128-GCM-SHA256, an empty session ID and the master secret.
    ...[Buffer.of(0xc0, 0x2f), Buffer.of(), randomBytes(48)].map((one) => encode('octets', [one])),
    encode('ticket', [encode('octets', [randomBytes(KEY_BYTES)])]),
  ]);
}

/** Encodes in DER, as OpenSSL writes its sessions. */
function encode(tag: keyof typeof TAGS, parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const size = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.of(TAGS[tag], ...size), body]);
}
