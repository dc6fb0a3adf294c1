import { X509Certificate } from 'node:crypto';
import {
  createSecureContext,
  rootCertificates,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import { ConnectivityError, invalidOption } from '../../../codes/connectivity-error.js';
import { TimedOut } from '../../../service/http/limits.js';
import { errorName } from '../../../service/http/transport-code.js';
import { readTextFile } from '../../../service/open-files.js';
import { pipeWaitMs, type RunOptions, settingName } from '../../model/options.js';
import { listChain, readName } from './certificate-facts.js';

/** One for all connections that trust the default roots: each would make its own otherwise. */
let shared: SecureContext | undefined;

export function trustingDefaults(): SecureContext {
  shared ??= createSecureContext();
  return shared;
}

let defaults: Set<string> | undefined;

/** Tells whether a default authority vouches for a server. */
export function endsAtDefault(socket: TLSSocket): boolean {
  defaults ??= new Set(rootCertificates.map((pem) => new X509Certificate(pem).fingerprint256));
  const chain = listChain(socket.getPeerCertificate(true));
  return chain.some(({ fingerprint256 }) => defaults?.has(fingerprint256));
}

/**
 * The default roots, those that Node was configured to add, and the certificates of the file, be they
 * roots or not, as curl has it.
 */
export async function trusting(own: string, caFile: string, field: string): Promise<SecureContext> {
  const added = await addedCertificates();
  try {
    return trustingAlso([own, ...added], lacksRoot(own));
  } catch (cause) {
    throw invalidOption(field, `hold valid PEM certificates, got: ${caFile}`, cause);
  }
}

/** Tells whether PEM holds a certificate whose issuer is neither in it nor a default root: strict clients go on looking. */
export function lacksRoot(pem: string): boolean {
  const own = certificatesIn(pem);
  const open = own.filter((one) => !own.some((issuer) => one.checkIssued(issuer)));
  if (open.length === 0) return false;
  const roots = rootCertificates.map((one) => new X509Certificate(one));
  return open.some((one) => !roots.some((root) => one.checkIssued(root)));
}

function certificatesIn(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((one) => new X509Certificate(one));
}

/**
 * Finds who would vouch for a trusted server to clients that trust a chain only up to a root: the issuer
 * that neither the default roots nor PEM have; undefined where they have it.
 */
export function missingRoot(socket: TLSSocket, pem: string): string | undefined {
  const authorities = [...certificatesIn(rootCertificates.join('\n')), ...certificatesIn(pem)];
  const roots = authorities.filter((one) => one.checkIssued(one));
  const chain = listChain(socket.getPeerCertificate(true));
  const isRooted = chain
    .map(({ raw }) => new X509Certificate(raw))
    .some((one) => roots.some((root) => one.checkIssued(root) && one.verify(root.publicKey)));
  return isRooted ? undefined : (readName(chain.at(-1)?.issuer) ?? 'without a name');
}

/** Reads added certificates; like Node it warns of unreadable ones and ignores them. */
async function addedCertificates(): Promise<string[]> {
  const file = process.env.NODE_EXTRA_CA_CERTS ?? '';
  if (file === '') return [];
  try {
    const text = await readTextFile(file);
    new X509Certificate(text);
    return [text];
  } catch {
    return [];
  }
}

/** @throws ConnectivityError `usage.invalid` */
export async function readCertificates(file: string, options: RunOptions): Promise<string> {
  const field = settingName(options, 'caFile');
  try {
    const text = await readTextFile(file, { timeoutMs: pipeWaitMs(options.timeoutMs) });
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  } catch (cause) {
    if (cause instanceof ConnectivityError) throw cause;
    const what =
      cause instanceof TimedOut
        ? `give certificates within ${Math.round(cause.timeoutMs)} ms, got: nothing more from ${file}`
        : `be a readable PEM file, got: ${file} (${errorName(cause)})`;
    throw invalidOption(field, what, cause);
  }
  throw invalidOption(field, `hold PEM certificates, got: ${file} without one`);
}

/**
 * A secure context that trusts more than the default roots.
 *
 * @param certificates PEM
 * @throws Error of OpenSSL where a certificate cannot be read
 */
export function trustingAlso(certificates: readonly string[], isPartial = false): SecureContext {
  // What it cannot read, the context passes over in silence.
  for (const certificate of certificates) new X509Certificate(certificate);
  const context = createSecureContext({ allowPartialTrustChain: isPartial });
  const add = findAdder(context);
  if (add === undefined) return trustingListed([...rootCertificates, ...certificates]);
  for (const certificate of certificates) add(certificate);
  return context;
}

/**
 * A secure context that trusts these and nothing else. Given all default roots it takes longer than
 * everything else before a check, so it is only the way out where roots cannot be added to.
 *
 * @param certificates PEM
 */
export function trustingListed(certificates: readonly string[]): SecureContext {
  return createSecureContext({ ca: [...certificates] });
}

/** Finds Node's own way to add authorities; undefined if this Node no longer has it. */
function findAdder({ context }: SecureContext): ((pem: string) => void) | undefined {
  const inner = context as { addCACert?: unknown } | undefined;
  const add = inner?.addCACert;
  return typeof add === 'function' ? (pem) => add.call(inner, pem) : undefined;
}
