import type { Finding, ProbeResult, TouchedHost } from '../model/verification.js';
import { bracketed } from './host-port.js';

interface Place {
  readonly host: string;
  readonly port: number;
}

/** Keeps what the check of a link has dialled, stages and probes alike, each once. */
export class DialledHosts {
  readonly #hosts = new Map<string, TouchedHost>();

  /** @param dialled what was dialled, or asked of a proxy */
  add(use: 'proxy' | 'service', { host, port }: Place, dialled: Place): void {
    const address = `${bracketed(dialled.host)}:${dialled.port}`;
    this.#hosts.set(JSON.stringify([use, host, port, address]), { use, host, port, address });
  }

  all(): TouchedHost[] {
    return [...this.#hosts.values()];
  }
}

const RESOLVERS: readonly string[] = ['resolver', 'same-resolver'];

/** The DNS servers that were asked, `system` for whatever the system's resolver asks. */
export function askedResolvers(
  findings: readonly Finding[],
  probes: readonly ProbeResult[],
): TouchedHost[] {
  const asked = [
    ...findings.flatMap(({ stage, evidence }) => (stage === 'dns' ? (evidence.server ?? []) : [])),
    ...probes.flatMap(({ name, changed }) => (RESOLVERS.includes(name) ? changed : [])),
  ];
  return [...new Set(asked.map(String))].map((server) => {
    const [, inBrackets, plain, port] = /^(?:\[(.+)\]|([^:]+)):(\d+)$/.exec(server) ?? [];
    const host = inBrackets ?? plain ?? server;
    return { use: 'resolver', host, ...(port !== undefined && { port: Number(port) }) };
  });
}
