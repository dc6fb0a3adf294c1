import type { DetailedPeerCertificate, PeerCertificate, TLSSocket } from 'node:tls';
import { safeText } from '../../../codes/redact.js';
import { errorName } from '../../../service/http/transport-code.js';
import type { LooseEvidence } from '../../model/findings.js';

/** The latest certificates and their descriptions, by fingerprint: many links share a few. */
const read = new Map<string, PeerCertificate>();
const described = new Map<string, LooseEvidence>();
const MOST_KEPT = 100;
const LONGEST_CHAIN = 16;

/**
 * Has Node.js judge the name by the certificate as it was read before, where it is the same: to read
 * a chain takes as much time as a signature. Chain and name are verified at every handshake all the same.
 */
export function readOnce(socket: TLSSocket): void {
  // Node.js 20 gives no chain any more once it has given this.
  const own = socket.getPeerX509Certificate();
  if (own === undefined) return;
  const { fingerprint256 } = own;
  const certificate = read.get(fingerprint256) ?? own.toLegacyObject();
  keep(read, fingerprint256, certificate);
  socket.getPeerCertificate = (() => certificate) as TLSSocket['getPeerCertificate'];
}

function keep<T>(kept: Map<string, T>, fingerprint: string, value: T): void {
  if (kept.has(fingerprint)) return;
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(fingerprint, value);
}

/** Whose certificate the server shows, by whom, for which names and until when. */
export function describeCertificate(certificate: PeerCertificate): LooseEvidence {
  if (certificate.subject === undefined) return {};
  const { fingerprint256 } = certificate;
  const known = described.get(fingerprint256);
  if (known !== undefined) return known;
  const evidence = {
    subject: readName(certificate.subject),
    issuer: readName(certificate.issuer),
    names: certificate.subjectaltname,
    validFrom: isoDate(certificate.valid_from),
    validTo: isoDate(certificate.valid_to),
    fingerprint256,
  };
  keep(described, fingerprint256, evidence);
  return evidence;
}

/** Which certificate of the chain is out of its time, by this machine's clock, and what its time is. */
export function findOutOfTime(error: Error, own: DetailedPeerCertificate): LooseEvidence {
  if (!['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'].includes(errorName(error))) return {};
  const chain = chainOf(own);
  const isOver = errorName(error) === 'CERT_HAS_EXPIRED';
  // The one that is furthest out of its time: by a clock by which it is in time, all are.
  const early = ({ valid_from: from, valid_to: to }: PeerCertificate) =>
    isOver ? Date.parse(to) : -Date.parse(from);
  const found = chain.reduce((one, other) => (early(other) < early(one) ? other : one));
  const index = chain.indexOf(found);
  if (early(found) > (isOver ? Date.now() : -Date.now())) {
    const outOfTime = 'an authority above the certificates that the server sends';
    return { outOfTime, validFrom: undefined, validTo: undefined };
  }
  return {
    outOfTime:
      index === 0
        ? 'the server’s own certificate'
        : `${readName(found.subject)}, an authority ${index} above the server’s certificate`,
    validFrom: isoDate(found.valid_from),
    validTo: isoDate(found.valid_to),
  };
}

/** A root is its own issuer. */
function chainOf(own: DetailedPeerCertificate): DetailedPeerCertificate[] {
  const chain = [own];
  for (let next = own.issuerCertificate; next !== undefined; next = next.issuerCertificate) {
    if (chain.includes(next) || chain.length >= LONGEST_CHAIN) break;
    chain.push(next);
  }
  return chain;
}

function readName(name: PeerCertificate['subject']): string | undefined {
  const part = name.CN ?? name.O;
  return part === undefined ? undefined : safeText([part].flat().join(', '));
}

function isoDate(text: string): string | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
