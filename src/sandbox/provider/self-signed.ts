// The certificate library refuses to load without it.
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;
const VALID_DAYS = 3650;

/** A certificate for one host that is its own authority, for both ends of mutual TLS, and its key; PEM. */
export async function selfSigned(host: string): Promise<{ cert: string; key: string }> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const now = Date.now();
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      name: `CN=${host}`,
      keys,
      signingAlgorithm: ALGORITHM,
      notBefore: new Date(now - DAY_MS),
      notAfter: new Date(now + VALID_DAYS * DAY_MS),
      extensions: [
        new BasicConstraintsExtension(true, undefined, true),
        new KeyUsagesExtension(
          KeyUsageFlags.digitalSignature | KeyUsageFlags.keyAgreement | KeyUsageFlags.keyCertSign,
          true,
        ),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
        new SubjectAlternativeNameExtension([{ type: 'dns', value: host }]),
      ],
    },
    webcrypto,
  );
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { cert: certificate.toString('pem'), key: PemConverter.encode(key, 'PRIVATE KEY') };
}
