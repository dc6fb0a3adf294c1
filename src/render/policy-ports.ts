import { ConnectivityError } from '../codes/connectivity-error.js';
import { ALL_PORTS, isAllPorts, type Opening, serviceText } from './opening.js';

/** Ports as NetworkPolicy and Cilium write them, the number as text in the latter. */
export interface PolicyPorts {
  readonly protocol: 'TCP' | 'UDP';
  readonly port?: number | string;
  readonly endPort?: number;
}

/**
 * @returns undefined where every protocol and port is meant
 * @throws ConnectivityError `render.unsupported` for icmp and for ranges that begin at port 0
 */
export function policyPorts(
  target: string,
  service: Pick<Opening, 'protocol' | 'ports' | 'direction'>,
): { protocol: 'TCP' | 'UDP'; port?: number; endPort?: number } | undefined {
  const { protocol, ports } = service;
  if (protocol === 'any') return undefined;
  const isSayable = protocol !== 'icmp' && (ports.first > 0 || isAllPorts(ports));
  if (!isSayable) {
    throw new ConnectivityError(
      'render.unsupported',
      `\`${target}\` cannot say every icmp message nor port 0, got: ${serviceText(service)} ${ports.first}-${ports.last}`,
    );
  }
  const name = protocol === 'tcp' ? 'TCP' : 'UDP';
  if (isAllPorts(ports)) return { protocol: name };
  const { first, last } = ports;
  return { protocol: name, port: first, ...(last !== first && { endPort: last }) };
}

/** The reverse of {@link policyPorts}. */
export function readPolicyPorts(
  ports: PolicyPorts | undefined,
): Pick<Opening, 'protocol' | 'ports'> {
  if (ports === undefined) return { protocol: 'any', ports: ALL_PORTS };
  const protocol = ports.protocol === 'TCP' ? 'tcp' : 'udp';
  const first = Number(ports.port ?? 0);
  if (first === 0) return { protocol, ports: ALL_PORTS };
  return { protocol, ports: { first, last: ports.endPort ?? first } };
}
