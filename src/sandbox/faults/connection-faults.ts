import type { TunnelAnswer } from '../listeners/faulty-ports.js';
import type { ServicePorts } from '../listeners/service-ports.js';
import { PUBLIC_STAND_IN } from '../surroundings.js';
import { faultsOf } from './fault.js';

export const DNS_FAULTS = faultsOf({ strikes: 'dns' }, [
  {
    name: 'dns-missing',
    about: 'the endpoint domain does not exist',
    code: 'dns.not-found',
    never: ['dns.server-failed: no answer', 'dns.server-failed', 'tcp.timeout'],
  },
  {
    name: 'dns-silent',
    about: 'the DNS server does not answer',
    code: 'dns.server-failed: no answer',
    never: ['dns.not-found', 'dns.server-failed', 'tcp.timeout'],
  },
  {
    name: 'dns-slow',
    about: 'the DNS server takes 12 seconds to answer',
    code: 'dns.server-failed: no answer',
    causes: ['dns.other-resolver'],
    never: ['dns.not-found', 'dns.server-failed', 'tcp.timeout', 'run.deadline'],
  },
  {
    name: 'dns-server-failed',
    about: 'the DNS server answers SERVFAIL',
    code: 'dns.server-failed',
    never: ['dns.not-found', 'dns.server-failed: no answer'],
  },
  {
    name: 'dns-wrong-server',
    about: "this machine's DNS server does not know the name, another one does",
    code: 'dns.not-found',
    causes: ['dns.other-resolver'],
    never: [
      'dns.server-failed: no answer',
      'dns.record-wrong: hiding private zone',
      'dns.other-resolver: another address',
      'endpoint.missing',
    ],
  },
  {
    name: 'dns-shadowed',
    about: 'a private zone without the record hides the public name',
    code: 'dns.not-found',
    causes: ['dns.record-wrong: hiding private zone'],
    never: ['dns.server-failed: no answer', 'dns.other-resolver', 'endpoint.missing'],
  },
  {
    name: 'dns-flipping',
    about: 'every other time the name does not exist',
    code: 'dns.not-found',
    flags: ['--settle', '2'],
    never: [
      'dns.server-failed: no answer',
      'dns.server-failed',
      'tcp.timeout',
      'dns.local-override',
      'dns.other-resolver: another address',
    ],
  },
  {
    name: 'pending-acceptance',
    about: "the endpoint's connection is awaiting acceptance",
    code: 'dns.not-found',
    never: ['dns.server-failed: no answer', 'tcp.timeout'],
  },
]);

export const ADDRESS_FAULTS = faultsOf({ strikes: 'address' }, [
  {
    name: 'address-public',
    addresses: [PUBLIC_STAND_IN],
    about: 'DNS returns a public address',
    code: 'address.unexpected: public',
    never: ['address.unexpected', 'tcp.timeout'],
  },
  {
    name: 'address-sinkhole',
    addresses: ['0.0.0.0'],
    about: 'a DNS filter returns 0.0.0.0 instead of the address',
    code: 'address.unexpected: this machine',
    never: ['address.unexpected: public', 'address.unexpected', 'endpoint.missing', 'tcp.refused'],
  },
  {
    name: 'dns-split-horizon',
    about: "this machine's DNS server returns a public address, another one the private address",
    code: 'address.unexpected: public',
    causes: ['dns.other-resolver: another address'],
    never: [
      'address.unexpected',
      'tcp.timeout',
      'dns.not-found',
      'dns.record-wrong: hiding private zone',
    ],
  },
  {
    name: 'address-unexpected',
    about: "DNS returns an old private address instead of the endpoint's",
    code: 'address.unexpected',
    never: ['address.unexpected: public', 'tcp.timeout'],
  },
]);

export const TCP_FAULTS = faultsOf({ strikes: 'tcp' }, [
  {
    name: 'tcp-refused',
    about: 'nothing listens on the port',
    code: 'tcp.refused',
    never: ['tcp.timeout', 'tls.timeout'],
  },
  {
    name: 'tcp-silent',
    about: 'packets are lost on the path',
    code: 'tcp.timeout',
    never: ['tcp.refused', 'tls.timeout', 'dns.server-failed: no answer'],
  },
  {
    name: 'security-group-closed',
    about:
      "the endpoint's security group drops all inbound traffic, by a rule that Terraform does not know",
    code: 'tcp.timeout',
    never: ['tcp.refused', 'tls.timeout', 'dns.not-found'],
  },
  {
    name: 'rules-not-enforced',
    about: "the endpoint's security group lets traffic in, and the cloud drops it all the same",
    code: 'tcp.timeout',
    never: ['tcp.refused', 'tls.timeout', 'dns.not-found'],
  },
  {
    name: 'zone-silent',
    about: 'packets to the last zone of the endpoint are lost',
    code: 'tcp.timeout',
    causes: ['path.partial'],
    never: ['tcp.refused', 'endpoint.security-group', 'endpoint.not-accepted'],
  },
  {
    name: 'zone-refused',
    about: 'nothing listens in the last zone of the endpoint',
    code: 'tcp.refused',
    causes: ['path.partial'],
    never: ['tcp.timeout', 'path.filter'],
  },
  {
    name: 'proxy-refuses',
    about: 'a proxy on the path answers 403',
    code: 'proxy.refused',
    causes: ['proxy.bypass'],
    never: ['tcp.refused', 'tls.reset', 'http.unexpected-answer', 'proxy.refused: no answer'],
  },
  {
    name: 'proxy-silent',
    about: 'a proxy on the path accepts the connection and never answers CONNECT',
    code: 'proxy.refused: no answer',
    causes: ['proxy.bypass'],
    never: ['tcp.timeout', 'proxy.refused', 'endpoint.security-group', 'run.deadline'],
  },
]);

export const TLS_FAULTS = faultsOf({ strikes: 'tls' }, [
  {
    name: 'tls-untrusted',
    listener: 'untrusted',
    about: 'the certificate comes from another authority',
    code: 'tls.untrusted',
    never: ['tls.name-mismatch', 'tls.expired', 'tls.failed', 'tls.bad-certificate'],
  },
  {
    name: 'tls-expired',
    listener: 'expired',
    about: 'the certificate has expired',
    code: 'tls.expired',
    never: ['tls.untrusted', 'tls.name-mismatch', 'tls.failed'],
  },
  {
    name: 'tls-intermediate-expired',
    listener: 'intermediate-expired',
    about: 'an authority between the certificate and its root has expired',
    code: 'tls.expired',
    causes: ['tls.expired'],
    never: ['tls.untrusted', 'tls.failed', 'tls.bad-certificate'],
  },
  {
    name: 'tls-not-yet-valid',
    listener: 'not-yet-valid',
    about: 'the certificate is not valid yet',
    code: 'tls.expired: not yet valid',
    never: ['tls.untrusted', 'tls.expired', 'tls.failed'],
  },
  {
    name: 'tls-weak-key',
    listener: 'weak-key',
    about: 'the key of the certificate is too short',
    code: 'tls.bad-certificate',
    never: [
      'tls.untrusted',
      'tls.untrusted: unknown authority',
      'path.inspection',
      'server.other-service',
    ],
  },
  {
    name: 'tls-wrong-name',
    listener: 'wrong-name',
    about: 'the certificate is for another name',
    code: 'tls.name-mismatch',
    never: ['tls.untrusted', 'tls.expired', 'tls.failed'],
  },
  {
    name: 'tls-api-host-only',
    listener: 'api-host-only',
    about: 'the certificate is for the public API host only',
    code: 'tls.name-mismatch',
    causes: ['tls.server-name'],
    never: ['tls.untrusted', 'tls.failed', 'server.other-service', 'path.inspection'],
  },
  {
    name: 'tls-client-certificate',
    listener: 'client-certificate',
    about: 'the server demands a client certificate',
    code: 'tls.client-certificate',
    never: ['tls.reset', 'tls.untrusted', 'tls.failed: alert', 'http.reset'],
  },
  {
    name: 'tls-silent',
    listener: 'silent',
    about: 'the connection opens but the handshake gets no answer',
    code: 'tls.timeout',
    never: ['tcp.timeout', 'http.timeout'],
  },
  {
    name: 'tls-reset',
    listener: 'reset',
    about: 'the connection is cut during the handshake',
    code: 'tls.reset',
    never: ['tcp.refused', 'tcp.unreachable: local error', 'tls.timeout', 'http.reset'],
  },
  {
    name: 'plain-http-on-443',
    listener: 'http',
    about: 'the port speaks plain HTTP',
    code: 'tls.not-tls',
    never: ['tls.timeout', 'tls.untrusted', 'tls.failed', 'http.unexpected-answer'],
  },
  {
    name: 'tls-name-filter',
    listener: 'name-filter',
    about: 'the connection is cut because of the TLS server name',
    code: 'tls.reset',
    causes: ['path.name-filter'],
    never: ['tls.timeout', 'tcp.refused', 'server.no-target', 'tls.server-name'],
  },
  {
    name: 'proxy-intercepts',
    about: 'a proxy on the path presents a certificate of its own',
    code: 'tls.untrusted',
    causes: ['proxy.bypass', 'path.inspection'],
    never: ['proxy.refused', 'tls.name-mismatch', 'server.other-service'],
  },
]);

const PROXY_FAULTS = ['proxy-refuses', 'proxy-silent', 'proxy-intercepts'] as const;

export function hasProxy(faults: ReadonlySet<string>): boolean {
  return PROXY_FAULTS.some((fault) => faults.has(fault));
}

/** The proxy refuses, is silent, or leads to a server with a certificate of another authority. */
export function proxyAnswer(faults: ReadonlySet<string>, ports: ServicePorts): TunnelAnswer {
  if (faults.has('proxy-silent')) return 'silence';
  return faults.has('proxy-refuses') ? { status: 403 } : { port: ports.untrusted };
}
