import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { safeText } from '../service/safe-text.js';
import type { LooseEvidence } from './findings.js';
import type { LinkContext } from './link-context.js';
import type { Handshake } from './path.js';

/** A failed handshake, with what was seen of the other side until then. */
export class HandshakeError extends Error {
  constructor(
    override readonly cause: Error,
    readonly evidence: LooseEvidence,
  ) {
    super(cause.message);
  }
}

export interface Secured extends Handshake {
  readonly socket: TLSSocket;
}

/** Makes a TLS connection of an open one and verifies chain and name. @throws HandshakeError */
export async function secure(
  {
    run,
    tlsServerName,
    sendsServerName,
  }: Pick<LinkContext, 'run' | 'tlsServerName' | 'sendsServerName'>,
  plain: Duplex,
  signal: AbortSignal,
): Promise<Secured> {
  return await new Promise((resolve, reject) => {
    const socket = connect({
      socket: plain,
      // An address cannot be sent as server name, but it is verified against the certificate.
      ...(isIP(tlsServerName) === 0 && sendsServerName
        ? { servername: tlsServerName }
        : { servername: '', host: tlsServerName }),
      // Said aloud, because a variable of the environment could switch it off otherwise.
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      secureContext: run.secureContext(),
    });
    let certificate: LooseEvidence = {};
    const closed = () => fail(closedEarly());
    const stop = () => socket.destroy(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    // This event comes before the verdict on the certificate, which destroys the socket when it is bad.
    socket.prependListener('secure', () => {
      certificate = describeCertificate(socket.getPeerCertificate());
    });
    const fail = (error: Error) =>
      reject(new HandshakeError(error, { serverName: tlsServerName, ...certificate }));
    socket.on('error', fail);
    socket.once('close', closed);
    socket.once('secureConnect', () => {
      signal.removeEventListener('abort', stop);
      socket.off('close', closed);
      let objection: Error | undefined;
      socket.on('error', (error) => {
        objection ??= error;
      });
      resolve({
        socket,
        objection: () => objection,
        evidence: {
          serverName: tlsServerName,
          protocol: socket.getProtocol() ?? undefined,
          ...certificate,
        },
      });
    });
  });
}

function closedEarly(): Error {
  return Object.assign(new Error('the connection was closed during the handshake'), {
    code: 'ECONNRESET',
  });
}

/** What was told of the latest certificates, by fingerprint: many links share a few. */
const described = new Map<string, LooseEvidence>();
const MOST_DESCRIBED = 100;

function describeCertificate(certificate: PeerCertificate): LooseEvidence {
  if (certificate.subject === undefined) return {};
  const { fingerprint256 } = certificate;
  const known = described.get(fingerprint256);
  if (known !== undefined) return known;
  const evidence = {
    subject: nameOf(certificate.subject),
    issuer: nameOf(certificate.issuer),
    names: certificate.subjectaltname,
    validFrom: isoDate(certificate.valid_from),
    validTo: isoDate(certificate.valid_to),
    fingerprint256,
  };
  if (described.size >= MOST_DESCRIBED) described.clear();
  described.set(fingerprint256, evidence);
  return evidence;
}

function nameOf(name: PeerCertificate['subject']): string | undefined {
  const part = name.CN ?? name.O;
  return part === undefined ? undefined : safeText([part].flat().join(', '));
}

function isoDate(text: string): string | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
