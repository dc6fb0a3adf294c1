// The certificate library refuses to load without it, so it comes first.
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Authority {
  /** PEM, to be trusted. */
  readonly ca: string;
  readonly issue: (names: readonly string[], validity?: Validity) => Promise<Certificate>;
}

/** Days from now; negative is in the past. */
export interface Validity {
  readonly fromDays?: number;
  readonly toDays?: number;
}

/** A throw-away certificate authority. */
export async function createAuthority(name = 'Test Authority'): Promise<Authority> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    ...validity({}),
    keys: keys as never,
    signingAlgorithm: ALGORITHM,
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  });
  return {
    ca: root.toString('pem'),
    issue: async (names, days = {}) => {
      const own = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
      const certificate = await x509.X509CertificateGenerator.create({
        subject: `CN=${names[0]}`,
        issuer: root.subject,
        ...validity(days),
        publicKey: own.publicKey as never,
        signingKey: keys.privateKey as never,
        signingAlgorithm: ALGORITHM,
        extensions: [
          new x509.SubjectAlternativeNameExtension(
            names.map((value) => ({ type: 'dns' as const, value })),
          ),
        ],
      });
      return { cert: certificate.toString('pem'), key: await privatePem(own.privateKey) };
    },
  };
}

function validity({ fromDays = -1, toDays = 30 }: Validity): { notBefore: Date; notAfter: Date } {
  const now = Date.now();
  return {
    notBefore: new Date(now + fromDays * DAY_MS),
    notAfter: new Date(now + toDays * DAY_MS),
  };
}

async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  const bytes = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key));
  const lines = bytes.toString('base64').replace(/.{64}/g, '$&\n');
  return `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----\n`;
}
