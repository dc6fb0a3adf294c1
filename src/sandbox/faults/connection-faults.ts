import type { Fault, ListenerKind } from './fault.js';

/** Faults in how a connection opens. */
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
