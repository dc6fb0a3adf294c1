import { parseAllDocuments } from 'yaml';
import type { Packet } from '../packets.js';
import { type Evaluator, holds, isPortIn } from './evaluator.js';

interface Port {
  readonly protocol: string;
  readonly port?: number;
  readonly endPort?: number;
}

interface PolicyRule {
  readonly to?: readonly { readonly ipBlock?: { readonly cidr: string } }[];
  readonly from?: PolicyRule['to'];
  readonly ports?: readonly Port[];
}

interface Policy {
  readonly spec: {
    readonly podSelector?: { readonly matchLabels: Record<string, string> };
    readonly policyTypes?: readonly string[];
    readonly egress?: readonly PolicyRule[];
    readonly ingress?: readonly PolicyRule[];
  };
}

const LABEL = 'secure-connectivity/subject';

/** Pods under a policy: what no rule of the direction lets through is closed. */
export const kubernetes: Evaluator = (text) => {
  const policies = documents(text);
  return (packet) => {
    const { direction, subject } = packet;
    const type = direction === 'egress' ? 'Egress' : 'Ingress';
    const own = policies.filter(
      ({ spec }) =>
        spec.podSelector?.matchLabels[LABEL] === subject && spec.policyTypes?.includes(type),
    );
    const rules = own.flatMap(({ spec }) => spec[direction] ?? []);
    return (
      own.length === 0 ||
      rules.some((rule) => {
        const peers = (direction === 'egress' ? rule.to : rule.from) ?? [];
        const isPeer = peers.some(({ ipBlock }) => ipBlock && holds(ipBlock.cidr, packet));
        return isPeer && (rule.ports?.some((port) => isPort(port, packet)) ?? true);
      })
    );
  };
};

function documents(text: string): Policy[] {
  return parseAllDocuments(text).map((document) => document.toJS() as Policy);
}

function isPort({ protocol, port, endPort }: Port, packet: Packet): boolean {
  if (protocol.toLowerCase() !== packet.protocol) return false;
  return port === undefined || isPortIn(port, endPort ?? port, packet);
}
