import type { PeerCertificate } from 'node:tls';
import { expect, test } from 'vitest';
import { describeCertificate } from '../../../src/verify/transport/tls/certificate-facts.js';

/** An extension of RFC 7633 that demands `status_request`, as it stands in a certificate. */
const MUST_STAPLE = Buffer.from('301106082b0601050507011804053003020105', 'hex');

test.each([
  [Buffer.concat([Buffer.from('3082', 'hex'), MUST_STAPLE]), true],
  [Buffer.from('3082', 'hex'), undefined],
])('a certificate that demands a stapled answer is recognized', (raw, mustStaple) => {
  const certificate = { subject: { CN: 'a' }, issuer: { CN: 'b' }, raw } as PeerCertificate;
  expect(describeCertificate(certificate).mustStaple).toBe(mustStaple);
});
