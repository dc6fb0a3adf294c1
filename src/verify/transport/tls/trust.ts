import { X509Certificate } from 'node:crypto';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

/** One for all connections that trust the default roots: each would make its own otherwise. */
let shared: SecureContext | undefined;

/** A secure context that trusts the default roots. */
export function trustingDefaults(): SecureContext {
  shared ??= createSecureContext();
  return shared;
}

/**
 * A secure context that trusts more than the default roots.
 *
 * @param certificates PEM
 * @throws Error of OpenSSL where a certificate cannot be read
 */
export function trustingAlso(certificates: readonly string[]): SecureContext {
  // What it cannot read, the context passes over in silence.
  for (const certificate of certificates) new X509Certificate(certificate);
  const context = createSecureContext();
  const add = adderOf(context);
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

/** What Node itself adds authorities with; undefined where this Node has it no longer. */
function adderOf({ context }: SecureContext): ((pem: string) => void) | undefined {
  const inner = context as { addCACert?: unknown } | undefined;
  const add = inner?.addCACert;
  return typeof add === 'function' ? (pem) => add.call(inner, pem) : undefined;
}
