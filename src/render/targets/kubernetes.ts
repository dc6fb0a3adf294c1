import type { AccessModel } from '../../access/access-model.js';
import {
  manifestMetadata,
  parseManifests,
  podLabels,
  policyPorts,
  type Selector,
  writeManifests,
} from '../manifests.js';
import { bySubject, type CidrOpening, cidrOpenings, type Target } from '../model.js';

const NAME = 'kubernetes';

/**
 * A NetworkPolicy for each subject, on pods that carry its label. It closes both directions but for
 * the rules, and but for the cluster's DNS where there is egress, without which no name resolves.
 */
export const kubernetes: Target = {
  name: NAME,
  render,
  parse: (text) => parseManifests(text, { target: NAME, render, selectors }),
};

const CLUSTER_DNS = {
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
};

function render(model: AccessModel): string {
  const openings = cidrOpenings(model, NAME);
  return writeManifests(
    bySubject(openings).map(([subject, own]) => {
      const egress = own.filter(({ direction }) => direction === 'egress');
      const ingress = own.filter(({ direction }) => direction === 'ingress');
      return {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'NetworkPolicy',
        metadata: manifestMetadata(model, subject),
        spec: {
          podSelector: { matchLabels: podLabels(subject) },
          policyTypes: ['Egress', 'Ingress'],
          egress: egress.length === 0 ? [] : [...egress.map((o) => rule('to', o)), CLUSTER_DNS],
          ingress: ingress.map((o) => rule('from', o)),
        },
      };
    }),
  );
}

function rule(end: 'to' | 'from', { cidrs, ...service }: CidrOpening) {
  const ports = policyPorts(NAME, service);
  return {
    [end]: cidrs.map(({ text }) => ({ ipBlock: { cidr: text } })),
    ...(ports && { ports: [ports] }),
  };
}

/** Where a policy has the addresses and ports of an opening. */
const selectors: Selector = ({ spec }) =>
  (['egress', 'ingress'] as const).flatMap((direction) =>
    (spec[direction] ?? []).map((each) => {
      const [ports] = each.ports ?? [];
      const blocks = (direction === 'egress' ? each.to : each.from) ?? [];
      return { direction, ports, cidrs: blocks.flatMap(({ ipBlock }) => ipBlock?.cidr ?? []) };
    }),
  );
