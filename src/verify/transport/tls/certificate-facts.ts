import type { DetailedPeerCertificate, PeerCertificate } from 'node:tls';
import { safeText } from '../../../codes/redact.js';
import { errorName } from '../../../service/http/transport-code.js';
import type { LooseEvidence } from '../../model/findings.js';

const MAX_CHAIN = 16;

/** Describes the server's certificate: subject, issuer, names and validity. */
export function describeCertificate(certificate: PeerCertificate): LooseEvidence {
  if (certificate.subject === undefined) return {};
  return {
    subject: readName(certificate.subject),
    issuer: readName(certificate.issuer),
    names: certificate.subjectaltname,
    validFrom: isoDate(certificate.valid_from),
    validTo: isoDate(certificate.valid_to),
    fingerprint256: certificate.fingerprint256,
    // Elliptic keys have far fewer bits, and no modulus.
    rsaBits: certificate.modulus === undefined ? undefined : certificate.bits,
  };
}

/**
 * Finds the certificate of the chain that is outside its validity by this machine's clock, with its
 * times beside those of the server's own.
 */
export function findOutOfTime(error: Error, own: DetailedPeerCertificate): LooseEvidence {
  const isOver = errorName(error) === 'CERT_HAS_EXPIRED';
  if (!isOver && errorName(error) !== 'CERT_NOT_YET_VALID') return {};
  const chain = listChain(own);
  // The certificate furthest outside its validity; if it were valid, all would be.
  const early = ({ valid_from: from, valid_to: to }: PeerCertificate) =>
    isOver ? Date.parse(to) : -Date.parse(from);
  const found = chain.reduce((one, other) => (early(other) < early(one) ? other : one));
  const index = chain.indexOf(found);
  if (early(found) > (isOver ? Date.now() : -Date.now())) {
    return { outOfTime: 'an authority above the certificates that the server sends' };
  }
  return {
    outOfTime:
      index === 0
        ? 'the server’s own certificate'
        : `${readName(found.subject)}, an authority ${index} above the server’s certificate`,
    outOfTimeFrom: isoDate(found.valid_from),
    outOfTimeTo: isoDate(found.valid_to),
  };
}

/** A root is its own issuer. */
export function listChain(own: DetailedPeerCertificate): DetailedPeerCertificate[] {
  const chain = [own];
  for (let next = own.issuerCertificate; next !== undefined; next = next.issuerCertificate) {
    if (chain.includes(next) || chain.length >= MAX_CHAIN) break;
    chain.push(next);
  }
  return chain;
}

/** Reads the name that people know an owner or issuer by. */
export function readName(name?: PeerCertificate['subject']): string | undefined {
  const part = name?.CN ?? name?.O;
  return part === undefined ? undefined : safeText([part].flat().join(', '));
}

function isoDate(text: string): string | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/**
 * Tells whether the alternative names of a certificate cover a host by RFC 9525: one of them is the host, or has
 * a wildcard in place of its first label.
 *
 * @param names as Node.js tells them: `DNS:a.example, DNS:*.b.example`
 */
export function coversName(names: unknown, host: string): boolean {
  const own = host.toLowerCase().replace(/\.$/, '');
  return listNames(names).some((name) =>
    name.startsWith('*.') ? own.replace(/^[^.]+/, '*') === name : own === name,
  );
}

/** Says how the names of a certificate that covers neither come near a host, or the address that was dialled. */
export function relatedName(names: unknown, host: string, address: string): string | undefined {
  const all = listNames(names);
  if (all.includes(`ip address:${address}`)) {
    return `the certificate is for ${address} itself, and not for the name`;
  }
  const above = all.find(
    (name) => /[^*.]\.[^.]/.test(name) && isBelow(host, name.replace(/^\*/, '')),
  );
  return above && `${above} covers ${above.startsWith('*.') ? 'one label' : 'no name below it'}`;
}

function isBelow(host: string, domain: string): boolean {
  return host.toLowerCase().endsWith(domain.startsWith('.') ? domain : `.${domain}`);
}

function listNames(names: unknown): string[] {
  const entries = String(names).split(',');
  return entries.map((entry) => entry.trim().replace(/^DNS:/, '').toLowerCase());
}
