import type { AccessModel } from '../../access/access-model.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import {
  manifestMetadata,
  parseManifests,
  podLabels,
  policyPorts,
  type Selector,
  writeManifests,
} from '../manifests.js';
import { bySubject, type CidrOpening, cidrOpenings, serviceText, type Target } from '../model.js';

const NAME = 'cilium';

/** A CiliumNetworkPolicy for each subject, on endpoints that carry its label; else as `kubernetes`. */
export const cilium: Target = {
  name: NAME,
  render,
  parse: (text) => parseManifests(text, { target: NAME, render, selectors }),
};

const CLUSTER_DNS = {
  toEndpoints: [
    {
      matchLabels: { 'k8s:io.kubernetes.pod.namespace': 'kube-system', 'k8s:k8s-app': 'kube-dns' },
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
};

/** One empty rule lets nothing through; an absent list would leave the direction open. */
const CLOSED = [{}];

function render(model: AccessModel): string {
  const openings = cidrOpenings(model, NAME);
  return writeManifests(
    bySubject(openings).map(([subject, own]) => {
      const egress = own.filter(({ direction }) => direction === 'egress');
      const ingress = own.filter(({ direction }) => direction === 'ingress');
      return {
        apiVersion: 'cilium.io/v2',
        kind: 'CiliumNetworkPolicy',
        metadata: manifestMetadata(model, subject),
        spec: {
          endpointSelector: { matchLabels: podLabels(subject) },
          egress: egress.length === 0 ? CLOSED : [...egress.map((o) => rule('to', o)), CLUSTER_DNS],
          ingress: ingress.length === 0 ? CLOSED : ingress.map((o) => rule('from', o)),
        },
      };
    }),
  );
}

function rule(end: 'to' | 'from', { cidrs, ...service }: CidrOpening) {
  const ports = policyPorts(NAME, service);
  return {
    [`${end}CIDRSet`]: cidrs.map(({ text }) => ({ cidr: text })),
    ...(ports && {
      toPorts: [{ ports: [{ ...ports, port: String(portOf(ports.port, service)) }] }],
    }),
  };
}

/** A policy without a number would have to mean all ports, which Cilium's versions read differently. */
function portOf(port: number | undefined, service: Omit<CidrOpening, 'cidrs'>): number {
  if (port !== undefined) return port;
  throw new ConnectivityError(
    'render.unsupported',
    `\`${NAME}\` needs a port, got: ${serviceText(service)} for ${service.subject}, which is all of them`,
  );
}

const selectors: Selector = ({ spec }) =>
  (['egress', 'ingress'] as const).flatMap((direction) =>
    (spec[direction] ?? []).map((each) => {
      const [ports] = each.toPorts?.[0]?.ports ?? [];
      const set = (direction === 'egress' ? each.toCIDRSet : each.fromCIDRSet) ?? [];
      return { direction, ports, cidrs: set.map(({ cidr }) => cidr) };
    }),
  );
