import { codesWithExit } from '../code-facts.js';
import { EXIT } from '../exit-status.js';

/** Failures of TLS sessions, and faults of certificates. */
export const TLS_CODES = codesWithExit(EXIT.tls, {
  'tls.server-name': {
    title: 'Another TLS server name is needed',
    cause: 'The service answers, but a name other than its API host was sent and verified.',
    remedy: 'Set `tlsServerName` (--tls-server-name) to the API host.',
    seen: {
      'unknown to the server': {
        title: 'The server does not know the name',
        cause:
          'The server refuses the TLS server name (SNI) with the alert `unrecognized_name`; the evidence lists the names that it was tried with.',
        remedy:
          'Set `tlsServerName` to the name that the service has at this address; if it is the right one, the server lacks its certificate, or it is another server.',
      },
    },
  },
  'tls.name-mismatch': {
    title: 'The certificate is for another name',
    cause:
      'The server’s certificate does not cover the name that was sent and verified: a wrong TLS server name, or another service at this address.',
    remedy:
      'Compare the names in the evidence: if the API host is among them, set `tlsServerName` to it; otherwise check which endpoint service the endpoint belongs to.',
    withoutEndpoint: {
      remedy:
        'Compare the names in the evidence: if the API host is among them, set `tlsServerName` to it; otherwise check the base URL and what the name resolves to.',
    },
  },
  'tls.untrusted': {
    title: 'The certificate is not trusted',
    cause:
      'The certificate’s issuer is not among the trusted ones: an inspecting proxy, a private CA (perhaps with a new key under its old name), or an incomplete chain.',
    remedy:
      'Check the issuer in the evidence: trust a private CA with --ca-file; bypass an inspecting proxy for this host.',
    seen: {
      'no root': {
        title: 'Strict clients lack the root of the certificate',
        cause:
          'The file of trusted certificates holds an authority that stands between the certificate and its root, and not the root. This check accepts that, as curl does; Node.js clients without `allowPartialTrustChain` stay strict and refuse the certificate.',
        remedy:
          'Add the root that the evidence names to the file, or set `allowPartialTrustChain` in the clients.',
        exit: EXIT.strictWarning,
      },
      'unknown authority': {
        cause:
          'The certificate is for the right name, but no trusted authority vouches for it: it is signed by itself or by a private authority that this machine does not have, or the server does not send the intermediate certificate of its chain.',
        remedy:
          'If the issuer in the evidence is a private authority, pass its certificate with --ca-file; if it is the intermediate of a public one, have the server send its whole chain.',
      },
    },
  },
  'tls.bad-certificate': {
    title: 'The certificate is not acceptable',
    cause:
      'A certificate in the chain is not accepted, whoever issued it: a key or a signature that is too weak (SHA-1), a purpose or a name that it was not issued for, an extension that is not known here, or a broken chain. Trusting its authority does not help.',
    remedy: 'Read the reason in the evidence; have the certificate reissued.',
    seen: {
      'lenient name': {
        title: 'Stricter clients refuse the certificate’s name',
        cause:
          'No alternative name of the certificate covers the verified name by RFC 9525: it stands in the common name (CN) alone, or beside a wildcard that is only a part of a label, or with a dot at its end. This program accepts that; clients in Go and browsers, among others, do not.',
        remedy:
          'Have the certificate reissued with the name itself, or a wildcard for its whole first label, among its alternative names (dNSName).',
        exit: EXIT.strictWarning,
      },
    },
  },
  'tls.expired': {
    title: 'A certificate is out of its time',
    cause:
      'A certificate in the chain has passed its last day, by this machine’s clock; the evidence names the certificate.',
    remedy:
      'Have the certificate that the evidence names renewed, unless this machine’s clock is among the causes.',
    seen: {
      'not yet valid': {
        cause:
          'A certificate in the chain is not valid until a later day, by this machine’s clock; the evidence names the certificate.',
        remedy: 'Wait or replace the certificate, unless this machine’s clock is among the causes.',
      },
      soon: {
        title: 'The certificate expires soon',
        cause:
          'The certificate expires within 30 days, or within a third of its lifetime if that is shorter.',
        remedy:
          'Renew it before the date in the evidence; if renewal is automated, check that it runs.',
        exit: EXIT.strictWarning,
      },
    },
  },
  'tls.timeout': {
    title: 'The TLS handshake is not completed in time',
    cause:
      'The connection opens, and then nothing more comes, or not all that belongs to a handshake: a load balancer without a healthy target, large packets lost on the path, or a server or path that is too slow.',
    remedy: 'Check the targets behind the endpoint service, then the path MTU.',
    withoutEndpoint: {
      remedy: 'Check filters on the path, then the path MTU; then the server at the address.',
    },
    isRetryable: true,
    isOfTime: true,
  },
  'tls.reset': {
    title: 'The TLS handshake is cut off',
    cause:
      'The connection was closed during the handshake: a filter that rejects the name, or an endpoint without a healthy target.',
    remedy: 'Check the TLS server name, filters on the path, and the targets behind the endpoint.',
    withoutEndpoint: {
      cause:
        'The connection was closed during the handshake: a filter that rejects the name, or a server that fails.',
      remedy: 'Check the TLS server name and filters on the path; then the server at the address.',
    },
    isRetryable: true,
    isOfTime: true,
  },
  'tls.not-tls': {
    title: 'One side speaks TLS and the other does not',
    cause: 'The port speaks plain HTTP, a proxy protocol or something else.',
    remedy: 'Check the scheme and the port of the base URL.',
    seen: {
      'the port speaks TLS': {
        cause: 'The base URL says http, and the port answers the beginning of a TLS handshake.',
        remedy: 'Set the base URL to https, with this port.',
      },
    },
  },
  'tls.failed': {
    title: 'The TLS handshake fails',
    cause: 'The handshake ended with an error that this check has no other name for.',
    remedy: 'Read the error in the evidence.',
    seen: {
      alert: {
        cause: 'The server sent an alert; the evidence names it.',
        remedy:
          'Read the alert in the evidence: `unrecognized_name` is about the TLS server name, `protocol_version` and `handshake_failure` about versions and ciphers, `no_application_protocol` about HTTP/1.1 (ALPN); others are told by the server’s log.',
      },
      damaged: {
        cause:
          'A record of TLS failed the check that detects changes, or is none: bytes were changed, lost or inserted between the two ends, or one of them has a fault in its TLS. An alert in the evidence was sent by the server, about what it received.',
        remedy:
          'Repeat the check: faulty hardware strikes at random, a device that rewrites packets each time. Look for such devices on the path (TLS inspection, WAN optimizers, address translation), then have the server’s log read.',
        isRetryable: true,
      },
      'out of turn': {
        cause:
          'Something came in the frame of a TLS record that cannot stand at this point of a handshake: data that is encrypted already, a message of its end, a record of an unknown type, or the client’s own words sent back. A front that mixes up connections, a device that puts records into them, or a fault in the server’s TLS does so.',
        remedy:
          'Repeat the check: mixed-up connections differ from time to time, a faulty server does not. Have the log read of whatever ends TLS at the address, and look for load balancers and devices on the path that take part in TLS.',
        isRetryable: true,
      },
    },
  },
  'tls.client-certificate': {
    title: 'The server demands a client certificate',
    cause:
      'The specification asks for none, so another server, or a gateway in front of the service, may be at this address.',
    remedy: 'Check which endpoint service the endpoint belongs to.',
    withoutEndpoint: { remedy: 'Check the base URL and what the name resolves to.' },
  },
  'host.clock': {
    title: 'This machine’s clock and the server’s differ',
    cause:
      'This machine’s clock disagrees with the one that the service and its certificates go by; usually this machine’s clock is the wrong one.',
    remedy:
      'Compare this machine’s clock with a time server and synchronize it (NTP); if it is right, report it to the service’s support.',
    exit: EXIT.tls,
    seen: {
      'JWT out of time': {
        cause:
          'The clocks of this machine and of the server differ: by the server’s clock, the JWT has expired or is not valid yet.',
        remedy: 'Synchronize this machine’s clock (NTP).',
        isRefusal: true,
      },
      '5 s': {
        cause:
          'The clock of this machine and the header `Date` of the response are more than 5 s apart; this alone does not show which is wrong.',
        remedy:
          'Compare this machine’s clock with a time server and synchronize it (NTP) if it is wrong; a JWT is valid only for a limited time.',
        exit: EXIT.strictWarning,
      },
      '60 s': {
        cause:
          'The service issued a token anyway, but this machine’s clock and the header `Date` of the response are so far apart that other clients, or the next JWT, may be refused. This alone does not show which is wrong.',
        remedy:
          'Compare this machine’s clock with a time server. If it is wrong, synchronize it (NTP); if it is right, report the date to whoever runs what answers.',
        exit: EXIT.clock,
      },
    },
  },
});
