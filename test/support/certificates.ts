// The certificate library refuses to load without it, so it comes first.
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

export interface Certificate {
  /** With the authorities between it and the root. */
  readonly cert: string;
  readonly key: string;
}

export interface Authority {
  /** PEM, to be trusted. */
  readonly ca: string;
  readonly issue: (names: readonly string[], choices?: Choices) => Promise<Certificate>;
  /** An authority that this one vouches for. */
  readonly under: (name: string, validity?: Validity) => Promise<Authority>;
}

/** Days from now; negative is in the past. */
export interface Validity {
  readonly fromDays?: number;
  readonly toDays?: number;
}

export interface Choices extends Validity {
  /** An RSA key of so many bits in place of an elliptic one. */
  readonly rsaBits?: number;
  /** False: the first name stands in the common name alone. */
  readonly hasAlternatives?: boolean;
  /** The purpose of the certificate, as an object identifier. @default anything */
  readonly extendedUsage?: string;
}

interface Signer {
  readonly subject: string;
  readonly keys: webcrypto.CryptoKeyPair;
  readonly algorithm: typeof ALGORITHM | typeof SHA_1;
  /** The certificates before the root, and the root. */
  readonly between: string;
  readonly root: string;
}

const SHA_1 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-1' } as const;

/** A throw-away certificate authority. @param choices.sha1 signs with SHA-1 */
export async function createAuthority(
  name = 'Test Authority',
  { sha1 = false }: { readonly sha1?: boolean } = {},
): Promise<Authority> {
  const algorithm = sha1 ? SHA_1 : ALGORITHM;
  const keys = sha1 ? await rsaKeys(2048, 'SHA-1') : await ellipticKeys();
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    ...validity({}),
    keys: keys as never,
    signingAlgorithm: algorithm,
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  });
  const pem = root.toString('pem');
  return authority({ subject: root.subject, keys, algorithm, between: '', root: pem });
}

function authority(signer: Signer): Authority {
  return {
    ca: signer.root,
    issue: async (names, choices = {}) => {
      const { rsaBits, extendedUsage, hasAlternatives = true } = choices;
      const own = rsaBits === undefined ? await ellipticKeys() : await rsaKeys(rsaBits, 'SHA-256');
      const alternative = names.map((value) => ({ type: 'dns' as const, value }));
      const cert = await sign(signer, `CN=${names[0]}`, own, choices, [
        ...(hasAlternatives ? [new x509.SubjectAlternativeNameExtension(alternative)] : []),
        ...(extendedUsage === undefined
          ? []
          : [new x509.ExtendedKeyUsageExtension([extendedUsage])]),
      ]);
      return { cert: `${cert}\n${signer.between}`, key: await privatePem(own.privateKey) };
    },
    under: async (name, days = {}) => {
      const keys = await ellipticKeys();
      const isAuthority = new x509.BasicConstraintsExtension(true, undefined, true);
      const own = await sign(signer, `CN=${name}`, keys, days, [isAuthority]);
      const between = `${own}\n${signer.between}`;
      return authority({ ...signer, subject: `CN=${name}`, keys, algorithm: ALGORITHM, between });
    },
  };
}

async function sign(
  { subject, keys, algorithm }: Signer,
  name: string,
  { publicKey }: webcrypto.CryptoKeyPair,
  days: Validity,
  extensions: x509.Extension[],
): Promise<string> {
  const certificate = await x509.X509CertificateGenerator.create({
    subject: name,
    issuer: subject,
    ...validity(days),
    publicKey: publicKey as never,
    signingKey: keys.privateKey as never,
    signingAlgorithm: algorithm,
    extensions,
  });
  return certificate.toString('pem');
}

async function ellipticKeys(): Promise<webcrypto.CryptoKeyPair> {
  return await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function rsaKeys(modulusLength: number, hash: string): Promise<webcrypto.CryptoKeyPair> {
  const publicExponent = new Uint8Array([1, 0, 1]);
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', modulusLength, publicExponent, hash };
  return await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
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
