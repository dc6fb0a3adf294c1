import { stringify } from 'yaml';
import type { AccessModel } from '../access/access-model.js';
import { groupBy } from '../lists/group-by.js';
import {
  type CidrOpening,
  cidrOpenings,
  isAllPorts,
  serviceText,
  slug,
  type Target,
  unsupported,
} from './model.js';

/**
 * A NetworkPolicy for each subject, on pods that carry its label. It closes both directions but for
 * the rules, and but for the cluster's DNS where there is egress, without which no name resolves.
 */
export const kubernetes: Target = {
  render: (model) => {
    const subjects = groupBy(cidrOpenings(model, 'kubernetes'), ({ subject }) => subject);
    return writeManifests([...subjects].map(([subject, own]) => policy(model, subject, own)));
  },
};

export function writeManifests(manifests: readonly object[]): string {
  return manifests
    .map((manifest) => stringify(manifest, { aliasDuplicateObjects: false }))
    .join('---\n');
}

const PREFIX = 'secure-connectivity';
const SUBJECT = `${PREFIX}/subject`;

/** Lets names resolve. */
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

/** The policy of a subject; annotations keep what names cannot. */
function policy({ stack, digest }: AccessModel, subject: string, own: readonly CidrOpening[]) {
  const egress = own.filter(({ direction }) => direction === 'egress');
  const ingress = own.filter(({ direction }) => direction === 'ingress');
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: {
      name: `${slug(stack)}.${slug(subject)}`,
      annotations: {
        [`${PREFIX}/stack`]: stack,
        [SUBJECT]: subject,
        [`${PREFIX}/rules-digest`]: digest,
      },
    },
    spec: {
      podSelector: { matchLabels: { [SUBJECT]: slug(subject) } },
      policyTypes: ['Egress', 'Ingress'],
      egress: [
        ...egress.map((opening) => rule('to', opening)),
        ...(egress.length > 0 ? [CLUSTER_DNS] : []),
      ],
      ingress: ingress.map((opening) => rule('from', opening)),
    },
  };
}

function rule(end: 'to' | 'from', { cidrs, ...service }: CidrOpening): object {
  const port = policyPort(service);
  return {
    [end]: cidrs.map(({ text }) => ({ ipBlock: { cidr: text } })),
    ...(port && { ports: [port] }),
  };
}

/**
 * @returns undefined where every protocol and port is meant
 * @throws ConnectivityError `usage.invalid` for icmp and for ranges that begin at port 0
 */
function policyPort(service: Omit<CidrOpening, 'cidrs'>) {
  const { protocol, ports } = service;
  if (protocol === 'any') return undefined;
  const isSayable = protocol !== 'icmp' && (ports.first > 0 || isAllPorts(ports));
  if (!isSayable) {
    throw unsupported(
      'kubernetes',
      `cannot say every icmp message nor port 0, got: ${serviceText(service)} ${ports.first}-${ports.last}`,
    );
  }
  const name = protocol === 'tcp' ? 'TCP' : 'UDP';
  if (isAllPorts(ports)) return { protocol: name };
  const { first, last } = ports;
  return { protocol: name, port: first, ...(last !== first && { endPort: last }) };
}
