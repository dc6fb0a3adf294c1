import { parseNetwork } from '../../net/cidr.js';
import type { RulePeer } from '../packet-rule.js';
import { EVERYTHING, readPorts, type Services, toServices } from '../sets/services.js';
import type { Question } from './answer.js';

/** A question as it is asked on the command line. */
export interface Written {
  /** An address or network, or a subject. */
  readonly from: string;
  /** The same, with a port where only one counts: `orders:8080`, `[2001:db8::1]:443`. */
  readonly to: string;
  readonly protocol: string;
  readonly vpc?: string;
}

/**
 * Reads a question: exactly one of both ends is an address.
 *
 * @throws RangeError naming the rule that it breaks
 */
export function readQuestion({ from, to, protocol, vpc }: Written): Question {
  const { name, port } = splitPort(to);
  const [caller, called] = [readPeer(from), readPeer(name)];
  const services = readServices(protocol, port);
  const more = { services, ...(vpc !== undefined && { vpc }) };
  if (caller !== undefined && called === undefined) {
    return { ...more, direction: 'ingress', peer: caller, subject: name };
  }
  if (caller === undefined && called !== undefined) {
    return { ...more, direction: 'egress', peer: called, subject: from };
  }
  throw new RangeError('must name an address or network at one end and a subject at the other');
}

type Addresses = Extract<RulePeer, { readonly kind: 'addresses' }>;

function readPeer(text: string): Addresses | undefined {
  try {
    const { family, first, last } = parseNetwork(text);
    return { kind: 'addresses', family, first, last };
  } catch {
    return undefined;
  }
}

/** A port follows the last colon; an IPv6 address with one stands in brackets. */
function splitPort(to: string): { readonly name: string; readonly port?: string } {
  const [, bracketed, after] = /^\[([^\]]+)\](?::(\d+))?$/.exec(to) ?? [];
  if (bracketed !== undefined) return { name: bracketed, ...(after && { port: after }) };
  if (readPeer(to) !== undefined) return { name: to };
  const [, name, port] = /^(.*):(\d+)$/s.exec(to) ?? [];
  return name === undefined || port === undefined ? { name: to } : { name, port };
}

function readServices(protocol: string, port: string | undefined): Services {
  if (protocol === 'icmp' && port === undefined) return toServices('icmp');
  if (protocol === 'any' && port === undefined) return EVERYTHING;
  if (protocol !== 'tcp' && protocol !== 'udp') {
    throw new RangeError('must have a port only with tcp or udp');
  }
  const [first, last] = port === undefined ? [1, 65_535] : [Number(port), Number(port)];
  const services = readPorts(protocol, first, last);
  if (services === undefined) throw new RangeError('must have a port from 0 to 65535');
  return services;
}
