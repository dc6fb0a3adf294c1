import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
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
type Validity = readonly [first: number, last: number];

export const VALID: Validity = [-1, 90];

/** A certificate with its key, both PEM. */
export interface Leaf {
  readonly cert: string;
  readonly key: string;
}

/** A throw-away certificate authority; its key is never written anywhere. */
export interface Authority {
  readonly cert: string;
  /** @param rsaBits an RSA key of so many bits in place of an elliptic one */
  issue(names: readonly string[], validity?: Validity, rsaBits?: number): Promise<Leaf>;
  /** Makes an authority that this one vouches for. */
  under(name: string, validity: Validity): Promise<Authority>;
}

const SIGNS_CERTIFICATES = new KeyUsagesExtension(
  KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign,
  true,
);

/** @param name the authority's common name */
export async function makeAuthority(name: string): Promise<Authority> {
  const keys = await makeKeys();
  const ca = await X509CertificateGenerator.createSelfSigned(
    {
      name: `CN=${name}`,
      keys,
      signingAlgorithm: ALGORITHM,
      ...dates([-30, 365]),
      extensions: [new BasicConstraintsExtension(true, 1, true), SIGNS_CERTIFICATES],
    },
    webcrypto,
  );
  return certifyingAuthority(ca, keys);
}

function certifyingAuthority(ca: X509Certificate, caKeys: KeyPair): Authority {
  const certify = (name: string, keys: KeyPair, validity: Validity, extensions: Extension[]) =>
    X509CertificateGenerator.create(
      {
        subject: `CN=${name}`,
        issuer: ca.subject,
        publicKey: keys.publicKey,
        signingKey: caKeys.privateKey,
        signingAlgorithm: ALGORITHM,
        ...dates(validity),
        extensions,
      },
      webcrypto,
    );
  return {
    cert: ca.toString('pem'),
    issue: async (names, validity = VALID, rsaBits) => {
      const keys = await makeKeys(rsaBits);
      const leaf = await certify(names[0] ?? '', keys, validity, leafExtensions(names));
      const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
      return { cert: leaf.toString('pem'), key: PemConverter.encode(key, 'PRIVATE KEY') };
    },
    under: async (name, validity) => {
      const keys = await makeKeys();
      const extensions = [new BasicConstraintsExtension(true, 0, true), SIGNS_CERTIFICATES];
      return certifyingAuthority(await certify(name, keys, validity, extensions), keys);
    },
  };
}

function leafExtensions(names: readonly string[]): Extension[] {
  return [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
    new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns' as const, value }))),
  ];
}

const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: 'SHA-256',
} as const;

function makeKeys(rsaBits?: number): Promise<KeyPair> {
  const algorithm = rsaBits === undefined ? ALGORITHM : { ...RSA, modulusLength: rsaBits };
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

function dates([first, last]: Validity) {
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
  return { notBefore: inDays(first), notAfter: inDays(last) };
}
