import { parseNetwork } from '../../net/cidr.js';
import type { RulePeer } from '../packet-rule.js';

export type Addresses = Extract<RulePeer, { readonly kind: 'addresses' }>;

/** Reads an address or a network; undefined if it is neither. */
export function readPeer(text: string): Addresses | undefined {
  try {
    const { family, first, last } = parseNetwork(text);
    return { kind: 'addresses', family, first, last };
  } catch {
    return undefined;
  }
}

/** A port follows the last colon; an IPv6 address with one stands in brackets. */
export function splitPort(end: string): { readonly name: string; readonly port?: string } {
  const [, bracketed, after] = /^\[([^\]]+)\](?::(\d+))?$/.exec(end) ?? [];
  if (bracketed !== undefined) return { name: bracketed, ...(after && { port: after }) };
  if (readPeer(end) !== undefined) return { name: end };
  const [, name, port] = /^(.*):(\d+)$/s.exec(end) ?? [];
  return name === undefined || port === undefined ? { name: end } : { name, port };
}
