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
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

type KeyPair = webcrypto.CryptoKeyPair;

/** Days from now in which a certificate begins and ends to be valid. */
export interface Validity {
  readonly fromDays: number;
  readonly toDays: number;
}

export const VALID: Validity = { fromDays: -1, toDays: 90 };

/** A certificate with its key, both PEM. */
export interface Leaf {
  readonly cert: string;
  readonly key: string;
}

/** A throw-away certificate authority; its key is never written anywhere. */
export interface Authority {
  readonly cert: string;
  issue(names: readonly string[], validity?: Validity): Promise<Leaf>;
}

/** @param name the authority's common name */
export async function makeAuthority(name: string): Promise<Authority> {
  const keys = await makeKeys();
  const ca = await X509CertificateGenerator.createSelfSigned(
    {
      name: `CN=${name}`,
      keys,
      signingAlgorithm: ALGORITHM,
      ...dates({ fromDays: -30, toDays: 365 }),
      extensions: [
        new BasicConstraintsExtension(true, 0, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      ],
    },
    webcrypto,
  );
  return {
    cert: ca.toString('pem'),
    issue: (names, validity = VALID) => issue(ca, keys, names, validity),
  };
}

async function issue(
  ca: X509Certificate,
  caKeys: KeyPair,
  names: readonly string[],
  validity: Validity,
): Promise<Leaf> {
  const keys = await makeKeys();
  const leaf = await X509CertificateGenerator.create(
    {
      subject: `CN=${names[0] ?? ''}`,
      issuer: ca.subject,
      publicKey: keys.publicKey,
      signingKey: caKeys.privateKey,
      signingAlgorithm: ALGORITHM,
      ...dates(validity),
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
        new SubjectAlternativeNameExtension(
          names.map((value) => ({ type: 'dns' as const, value })),
        ),
      ],
    },
    webcrypto,
  );
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { cert: leaf.toString('pem'), key: PemConverter.encode(key, 'PRIVATE KEY') };
}

function makeKeys(): Promise<KeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

function dates({ fromDays, toDays }: Validity) {
  const now = Date.now();
  return {
    notBefore: new Date(now + fromDays * DAY_MS),
    notAfter: new Date(now + toDays * DAY_MS),
  };
}
