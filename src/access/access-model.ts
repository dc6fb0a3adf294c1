import { createHash } from 'node:crypto';
import { compareCidrs, parseCidr } from '../net/cidr.js';
import type { AccessRule, Peer } from './access-rule.js';

export const ACCESS_SCHEMA = 'secure-connectivity/access@1';

/** The content of `access.json`, which is written beside a stack's Terraform JSON. */
export interface AccessModel {
  readonly schema: typeof ACCESS_SCHEMA;
  readonly stack: string;
  /** See {@link rulesDigest}. */
  readonly digest: string;
  readonly rules: readonly AccessRule[];
  /**
   * The addresses of endpoints, for clients. They open nothing, so the digest leaves them out.
   * @default - none
   */
  readonly endpoints?: readonly EndpointAddresses[];
}

export interface EndpointAddresses {
  /** The subject of the rules that open the endpoint. */
  readonly subject: string;
  /** Its private addresses, one for each zone. */
  readonly addresses: readonly string[];
}

export function accessModel(
  stack: string,
  rules: readonly AccessRule[],
  endpoints: readonly EndpointAddresses[] = [],
): AccessModel {
  return {
    schema: ACCESS_SCHEMA,
    stack,
    digest: rulesDigest(rules),
    rules: withCarriers(canonicalRules(rules), rules),
    ...(endpoints.length > 0 && { endpoints }),
  };
}

/** Adds to each rule what carries it: one that is stated twice has the carriers of both. */
function withCarriers(canonical: readonly AccessRule[], rules: readonly AccessRule[]) {
  const all = new Map<string, Set<string>>();
  for (const { carriers = [], ...rule } of rules) {
    const key = JSON.stringify(canonicalRule(rule));
    all.set(key, new Set([...(all.get(key) ?? []), ...carriers]));
  }
  return canonical.map((rule): AccessRule => {
    const carriers = [...(all.get(JSON.stringify(rule)) ?? [])].sort(compareText);
    return carriers.length > 0 ? { ...rule, carriers } : rule;
  });
}

/** SHA-256, hexadecimal, of the rules in canonical order: the same before a deploy and after it. */
export function rulesDigest(rules: readonly AccessRule[]): string {
  return createHash('sha256')
    .update(JSON.stringify(canonicalRules(rules)))
    .digest('hex');
}

/** The rules without repeats, in the one order that every output uses, so that equal rules give equal bytes. */
export function canonicalRules(rules: readonly AccessRule[]): AccessRule[] {
  const sorted = rules.map(canonicalRule).sort(compareRules);
  return [...new Map(sorted.map((rule) => [JSON.stringify(rule), rule])).values()];
}

/** Fields in a fixed order, whatever order the caller wrote them in. */
function canonicalRule(rule: AccessRule): AccessRule {
  const { via, direction, subject, peer, protocol, ports, reason } = rule;
  const { enforcedElsewhere, exception } = rule;
  return {
    via,
    direction,
    subject,
    peer: canonicalPeer(peer),
    protocol,
    ports: { first: ports.first, last: ports.last },
    reason,
    ...(enforcedElsewhere !== undefined && { enforcedElsewhere }),
    ...(exception && {
      exception: {
        reason: exception.reason,
        owner: exception.owner,
        expires: exception.expires,
      },
    }),
  };
}

function canonicalPeer(peer: Peer): Peer {
  switch (peer.kind) {
    case 'cidr':
      return { kind: 'cidr', cidr: parseCidr(peer.cidr).text };
    case 'account':
      return { kind: 'account', account: peer.account };
    case 'endpoint':
      return { kind: 'endpoint', endpoint: peer.endpoint };
    case 'group':
      return { kind: 'group', group: peer.group };
  }
}

function compareRules(a: AccessRule, b: AccessRule): number {
  return (
    compareText(a.via, b.via) ||
    compareText(a.direction, b.direction) ||
    compareText(a.subject, b.subject) ||
    comparePeers(a.peer, b.peer) ||
    compareText(a.protocol, b.protocol) ||
    a.ports.first - b.ports.first ||
    a.ports.last - b.ports.last ||
    compareText(JSON.stringify(a), JSON.stringify(b))
  );
}

function comparePeers(a: Peer, b: Peer): number {
  if (a.kind === 'cidr' && b.kind === 'cidr') {
    return compareCidrs(parseCidr(a.cidr), parseCidr(b.cidr));
  }
  return compareText(a.kind, b.kind) || compareText(JSON.stringify(a), JSON.stringify(b));
}

/** Compares code units and not by locale: the order must not depend on the machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
