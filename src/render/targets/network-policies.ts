import type { AccessModel } from '../../access/access-model.js';
import { groupBy } from '../../lists/group-by.js';
import {
  manifestMetadata,
  manifestsTarget,
  type PolicyReader,
  podLabels,
  policyPorts,
} from '../manifests.js';
import { type CidrOpening, cidrOpenings, serviceText, type Target, unsupported } from '../model.js';

/** The form in which a kind of policy writes what all of them say. */
interface PolicyKind {
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** The pods that it is on, and what every policy has beside its rules. */
  readonly spec: (labels: Readonly<Record<string, string>>) => object;
  /** Lets names resolve. */
  readonly clusterDns: object;
  /** The rules of a direction in which nothing is open. */
  readonly closed: readonly object[];
  readonly rule: (end: 'to' | 'from', opening: CidrOpening) => object;
  /** The reverse of `rule`. */
  readonly read: PolicyReader;
}

/**
 * A NetworkPolicy for each subject, on pods that carry its label. It closes both directions but for
 * the rules, and but for the cluster's DNS where there is egress, without which no name resolves.
 */
export const kubernetes = policyTarget({
  name: 'kubernetes',
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  spec: (matchLabels) => ({
    podSelector: { matchLabels },
    policyTypes: ['Egress', 'Ingress'],
  }),
  clusterDns: {
    to: [
      {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
        podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
      },
    ],
    ports: [
      { protocol: 'UDP', port: 53 },
      { protocol: 'TCP', port: 53 },
    ],
  },
  closed: [],
  rule: (end, { cidrs, ...service }) => {
    const ports = policyPorts('kubernetes', service);
    return {
      [end]: cidrs.map(({ text }) => ({ ipBlock: { cidr: text } })),
      ...(ports && { ports: [ports] }),
    };
  },
  read: (rule, direction) => {
    const blocks = (direction === 'egress' ? rule.to : rule.from) ?? [];
    return {
      ports: rule.ports?.[0],
      cidrs: blocks.flatMap(({ ipBlock }) => ipBlock?.cidr ?? []),
    };
  },
});

/** A CiliumNetworkPolicy for each subject, on endpoints that carry its label; else as `kubernetes`. */
export const cilium = policyTarget({
  name: 'cilium',
  apiVersion: 'cilium.io/v2',
  kind: 'CiliumNetworkPolicy',
  spec: (matchLabels) => ({ endpointSelector: { matchLabels } }),
  clusterDns: {
    toEndpoints: [
      {
        matchLabels: {
          'k8s:io.kubernetes.pod.namespace': 'kube-system',
          'k8s:k8s-app': 'kube-dns',
        },
      },
    ],
    toPorts: [
      {
        ports: [
          { port: '53', protocol: 'UDP' },
          { port: '53', protocol: 'TCP' },
        ],
      },
    ],
  },
  // One empty rule lets nothing through; an absent list would leave the direction open.
  closed: [{}],
  rule: (end, { cidrs, ...service }) => {
    const ports = policyPorts('cilium', service);
    return {
      [`${end}CIDRSet`]: cidrs.map(({ text }) => ({ cidr: text })),
      ...(ports && {
        toPorts: [{ ports: [{ ...ports, port: String(requirePort(ports.port, service)) }] }],
      }),
    };
  },
  read: (rule, direction) => {
    const set = (direction === 'egress' ? rule.toCIDRSet : rule.fromCIDRSet) ?? [];
    return { ports: rule.toPorts?.[0]?.ports[0], cidrs: set.map(({ cidr }) => cidr) };
  },
});

/** A policy without a number would have to mean all ports, which Cilium's versions read differently. */
function requirePort(port: number | undefined, service: Omit<CidrOpening, 'cidrs'>): number {
  if (port !== undefined) return port;
  throw unsupported(
    'cilium',
    `needs a port, got: ${serviceText(service)} for ${service.subject}, which is all of them`,
  );
}

function policyTarget(policy: PolicyKind): Target {
  const { name, apiVersion, kind, spec, clusterDns, closed, rule, read } = policy;
  const manifests = (model: AccessModel) =>
    [...groupBy(cidrOpenings(model, name), ({ subject }) => subject)].map(([subject, own]) => {
      const egress = own.filter(({ direction }) => direction === 'egress');
      const ingress = own.filter(({ direction }) => direction === 'ingress');
      return {
        apiVersion,
        kind,
        metadata: manifestMetadata(model, subject),
        spec: {
          ...spec(podLabels(subject)),
          egress:
            egress.length === 0
              ? closed
              : [...egress.map((opening) => rule('to', opening)), clusterDns],
          ingress: ingress.length === 0 ? closed : ingress.map((opening) => rule('from', opening)),
        },
      };
    });
  return manifestsTarget(name, manifests, read);
}
