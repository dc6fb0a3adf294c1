import { randomBytes } from 'node:crypto';
import tls from 'node:tls';

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
