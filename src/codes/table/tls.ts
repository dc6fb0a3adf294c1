import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Why no TLS session comes about, and what is wrong with a certificate. */
export const TLS_CODES = codesWithExit(EXIT.tls, {
  'tls.server-name': {
    title: 'The certificate is for the API host',
    cause: 'The service answers, but a name other than its API host was sent and verified.',
    remedy: 'Set `tlsServerName` (--tls-server-name) to the API host.',
  },
  'tls.name-mismatch': {
    title: 'The certificate is for another name',
    cause:
      'The server’s certificate does not cover the name that was sent and verified: a wrong TLS server name, or another service at this address.',
    remedy:
      'Compare the names in the evidence: if the API host is among them, set `tlsServerName` to it; otherwise check which endpoint service the endpoint belongs to.',
  },
  'tls.untrusted': {
    title: 'The certificate is not trusted',
    cause:
      'The certificate’s issuer is not among the trusted ones: an inspecting proxy, a private CA, or an incomplete chain.',
    remedy:
      'Check the issuer in the evidence: trust a private CA with --ca-file; bypass an inspecting proxy for this host.',
  },
  'tls.bad-certificate': {
    title: 'The certificate is not acceptable',
    cause:
      'A certificate in the chain is not accepted, whoever issued it: a key or a signature that is too weak (SHA-1), a purpose that it was not issued for, or a broken chain. Trusting its authority does not help.',
    remedy: 'Read the reason in the evidence; have the certificate reissued.',
  },
  'tls.expired': {
    title: 'A certificate has expired',
    cause:
      'A certificate in the chain has passed its last day, by this machine’s clock; the evidence names the certificate.',
    remedy:
      'Check this machine’s clock first; if it is right, the certificate that the evidence names must be renewed.',
  },
  'tls.expires-soon': {
    title: 'The certificate expires soon',
    cause:
      'The certificate expires within 30 days, or within a third of its lifetime if that is shorter.',
    remedy:
      'Renew it before the date in the evidence; if renewal is automated, check that it runs.',
    exit: EXIT.strictWarning,
  },
  'tls.large-hello-lost': {
    title: 'Newer clients will fail on this path',
    cause:
      'This check passes because its ClientHello is small. A large one, as OpenSSL 3.5 sends it (Node.js 22.23, 24 and newer) with its post-quantum key share, is lost on the path.',
    remedy:
      'Before clients are updated, have the path fixed as the code in the evidence `see` explains (`secure-connectivity explain CODE`); otherwise start them with a small hello: `tls.DEFAULT_ECDH_CURVE = "X25519:P-256"` in Node.js.',
    inspect: 'firewalls, load balancers and TLS filters that decide by server name',
    exit: EXIT.strictWarning,
  },
  'tls.not-yet-valid': {
    title: 'A certificate is not valid yet',
    cause:
      'A certificate in the chain is not valid until a later day, by this machine’s clock; the evidence names the certificate.',
    remedy: 'Check this machine’s clock first; if it is right, wait or replace the certificate.',
  },
  'tls.timeout': {
    title: 'The TLS handshake gets no answer',
    cause:
      'The connection opens but stays silent: a load balancer without a healthy target, or large packets lost on the path.',
    remedy: 'Check the targets behind the endpoint service, then the path MTU.',
    isRetryable: true,
  },
  'tls.reset': {
    title: 'The TLS handshake is cut off',
    cause:
      'The connection was closed during the handshake: a filter that rejects the name, or an endpoint without a healthy target.',
    remedy: 'Check the TLS server name, filters on the path, and the targets behind the endpoint.',
    isRetryable: true,
  },
  'tls.not-tls': {
    title: 'The port does not speak TLS',
    cause: 'The port speaks plain HTTP, a proxy protocol or something else.',
    remedy: 'Check the scheme and the port of the base URL.',
  },
  'tls.alert': {
    title: 'The server refuses the TLS handshake',
    cause: 'The server sent an alert: it does not know the name, or shares no version or cipher.',
    remedy: 'Read the alert in the evidence; check the TLS server name.',
  },
  'tls.client-certificate': {
    title: 'The server demands a client certificate',
    cause:
      'The service does not ask for one, so another server, or a gateway, may be at this address.',
    remedy: 'Check which endpoint service the endpoint belongs to.',
  },
  'tls.failed': {
    title: 'The TLS handshake fails',
    cause: 'The handshake ended with an unrecognized error.',
    remedy: 'Read the error in the evidence.',
  },
});
