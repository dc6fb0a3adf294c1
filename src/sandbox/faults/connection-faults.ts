import type { Fault, ListenerKind } from './fault.js';

/** Faults in how a connection opens, up to the end of its TLS handshake. */
export const CONNECTION_FAULTS = [
  {
    name: 'tcp-refused',
    strikes: 'tcp',
    about: 'nothing listens on the port',
    code: 'tcp.refused',
    never: ['tcp.timeout', 'tls.timeout'],
  },
  {
    name: 'tcp-silent',
    strikes: 'tcp',
    about: 'packets are lost on the path',
    code: 'tcp.timeout',
    never: ['tcp.refused', 'tls.timeout', 'dns.timeout'],
  },
  {
    name: 'security-group-closed',
    strikes: 'tcp',
    about: "the endpoint's security group allows no inbound traffic",
    code: 'tcp.timeout',
    never: ['tcp.refused', 'tls.timeout', 'dns.not-found'],
  },
  {
    name: 'zone-silent',
    strikes: 'tcp',
    about: 'packets to the last zone of the endpoint are lost',
    code: 'tcp.timeout',
    causes: ['endpoint.zone'],
    never: ['tcp.refused', 'endpoint.security-group', 'endpoint.not-accepted'],
  },
  {
    name: 'zone-refused',
    strikes: 'tcp',
    about: 'nothing listens in the last zone of the endpoint',
    code: 'tcp.refused',
    causes: ['endpoint.zone'],
    never: ['tcp.timeout', 'endpoint.no-listener', 'path.filter'],
  },
  {
    name: 'proxy-refuses',
    strikes: 'tcp',
    about: 'a proxy on the path answers 403',
    code: 'proxy.refused',
    causes: ['proxy.catches-host'],
    never: ['tcp.refused', 'tls.reset', 'http.not-the-service', 'proxy.unreachable'],
  },
  {
    name: 'proxy-silent',
    strikes: 'tcp',
    about: 'a proxy on the path accepts the connection and never answers CONNECT',
    code: 'proxy.unreachable',
    causes: ['proxy.catches-host'],
    never: ['tcp.timeout', 'proxy.refused', 'endpoint.security-group', 'run.deadline'],
  },
  {
    name: 'tls-untrusted',
    strikes: 'tls',
    listener: 'untrusted',
    about: 'the certificate comes from another authority',
    code: 'tls.untrusted',
    never: ['tls.name-mismatch', 'tls.expired', 'tls.failed', 'tls.bad-certificate'],
  },
  {
    name: 'tls-expired',
    strikes: 'tls',
    listener: 'expired',
    about: 'the certificate has expired',
    code: 'tls.expired',
    never: ['tls.untrusted', 'tls.name-mismatch', 'tls.failed'],
  },
  {
    name: 'tls-intermediate-expired',
    strikes: 'tls',
    listener: 'intermediate-expired',
    about: 'an authority between the certificate and its root has expired',
    code: 'tls.expired',
    causes: ['tls.expired'],
    never: ['tls.untrusted', 'tls.failed', 'tls.bad-certificate'],
  },
  {
    name: 'tls-not-yet-valid',
    strikes: 'tls',
    listener: 'not-yet-valid',
    about: 'the certificate is not valid yet',
    code: 'tls.not-yet-valid',
    never: ['tls.untrusted', 'tls.expired', 'tls.failed'],
  },
  {
    name: 'tls-weak-key',
    strikes: 'tls',
    listener: 'weak-key',
    about: 'the key of the certificate is too short',
    code: 'tls.bad-certificate',
    never: ['tls.untrusted', 'path.private-authority', 'path.inspection', 'endpoint.wrong-service'],
  },
  {
    name: 'tls-wrong-name',
    strikes: 'tls',
    listener: 'wrong-name',
    about: 'the certificate is for another name',
    code: 'tls.name-mismatch',
    never: ['tls.untrusted', 'tls.expired', 'tls.failed'],
  },
  {
    name: 'tls-api-host-only',
    strikes: 'tls',
    listener: 'api-host-only',
    about: 'the certificate is for the public API host only',
    code: 'tls.name-mismatch',
    causes: ['tls.server-name'],
    never: ['tls.untrusted', 'tls.failed', 'endpoint.wrong-service', 'path.inspection'],
  },
  {
    name: 'tls-client-certificate',
    strikes: 'tls',
    listener: 'client-certificate',
    about: 'the server demands a client certificate',
    code: 'tls.client-certificate',
    never: ['tls.reset', 'tls.untrusted', 'tls.alert', 'http.reset'],
  },
  {
    name: 'tls-silent',
    strikes: 'tls',
    listener: 'silent',
    about: 'the connection opens but the handshake gets no answer',
    code: 'tls.timeout',
    never: ['tcp.timeout', 'http.timeout'],
  },
  {
    name: 'tls-reset',
    strikes: 'tls',
    listener: 'reset',
    about: 'the connection is cut during the handshake',
    code: 'tls.reset',
    never: ['tcp.refused', 'tcp.failed', 'tls.timeout', 'http.reset'],
  },
  {
    name: 'plain-http-on-443',
    strikes: 'tls',
    listener: 'http',
    about: 'the port speaks plain HTTP',
    code: 'tls.not-tls',
    never: ['tls.timeout', 'tls.untrusted', 'tls.failed', 'http.not-the-service'],
  },
  {
    name: 'tls-name-filter',
    strikes: 'tls',
    listener: 'name-filter',
    about: 'the connection is cut because of the TLS server name',
    code: 'tls.reset',
    causes: ['path.name-filter'],
    never: ['tls.timeout', 'tcp.refused', 'endpoint.no-target', 'tls.server-name'],
  },
  {
    name: 'proxy-intercepts',
    strikes: 'tls',
    about: 'a proxy on the path presents a certificate of its own',
    code: 'tls.untrusted',
    causes: ['proxy.catches-host', 'path.inspection'],
    never: ['proxy.refused', 'tls.name-mismatch', 'endpoint.wrong-service'],
  },
] as const satisfies readonly Fault[];

const PROXY_FAULTS = ['proxy-refuses', 'proxy-silent', 'proxy-intercepts'] as const;

/** Whether a proxy is between the command and the service. */
export function hasProxy(faults: ReadonlySet<string>): boolean {
  return PROXY_FAULTS.some((fault) => faults.has(fault));
}

/** The proxy refuses, is silent, or leads to a server with a certificate of another authority. */
export function proxyAnswer(
  faults: ReadonlySet<string>,
  ports: Readonly<Record<ListenerKind, number>>,
): { readonly port: number } | { readonly status: number } | 'silence' {
  if (faults.has('proxy-silent')) return 'silence';
  return faults.has('proxy-refuses') ? { status: 403 } : { port: ports.untrusted };
}
