import { X509Certificate } from 'node:crypto';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

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
  // Reading all default roots again, one by one, takes longer than everything else before a check.
  if (add === undefined) return createSecureContext({ ca: [...rootCertificates, ...certificates] });
  for (const certificate of certificates) add(certificate);
  return context;
}

/** What Node itself adds authorities with; undefined where this Node has it no longer. */
function adderOf({ context }: SecureContext): ((pem: string) => void) | undefined {
  const inner = context as { addCACert?: unknown } | undefined;
  const add = inner?.addCACert;
  return typeof add === 'function' ? (pem) => add.call(inner, pem) : undefined;
}
