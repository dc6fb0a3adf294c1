import { usageError } from '../../codes/connectivity-error.js';
import type { AddressPeer } from '../packet-rule.js';
import { EVERYTHING, readPorts, type Services, toServices } from '../sets/services.js';
import type { Question } from './answer.js';
import type { OneEnd } from './report.js';
import {
  type AskedStacks,
  readPeer,
  requireEnd,
  requireName,
  splitPort,
  wrongEnds,
} from './wrong-ends.js';

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
 * Reads a question: exactly one of both ends is an address, and the other a name that the stacks have.
 *
 * @throws ConnectivityError `usage.invalid` that names the flag which is wrong
 */
export function readQuestion(written: Written, stacks: AskedStacks): Question {
  const { from, to, protocol, vpc } = written;
  const { name, port } = splitPort(to);
  const [caller, called] = [readPeer(from), readPeer(name)];
  const ask = (peer: AddressPeer, direction: Question['direction'], subject: string): Question => {
    requireName(direction, subject, vpc, stacks);
    const services = readServices(protocol, port, to);
    return { direction, peer, services, subject, ...(vpc !== undefined && { vpc }) };
  };
  if (caller !== undefined && called === undefined) return ask(caller, 'ingress', name);
  if (caller === undefined && called !== undefined) return ask(called, 'egress', from);
  throw wrongEnds(from, to, stacks);
}

/**
 * Reads a question of which one end is given: an address, or a name that the stacks have.
 *
 * @throws ConnectivityError `usage.invalid` that names the flag which is wrong
 */
export function readEnd(written: Partial<Written>, stacks: AskedStacks): OneEnd {
  const { from, to = '', vpc } = written;
  const { name, port } = from === undefined ? splitPort(to) : { name: from };
  const protocol = written.protocol ?? (port === undefined ? 'any' : 'tcp');
  const peer = readPeer(name);
  const isInward = (from === undefined) === (peer === undefined);
  const direction = isInward ? 'ingress' : 'egress';
  if (peer === undefined) requireEnd(direction, name, vpc, stacks);
  const end = peer === undefined ? { subject: name } : { peer };
  const services = readServices(protocol, port, to);
  return { direction, services, ...end, ...(vpc !== undefined && { vpc }) };
}

function readServices(protocol: string, port: string | undefined, to: string): Services {
  if (protocol === 'icmp' && port === undefined) return toServices('icmp');
  if (protocol === 'any' && port === undefined) return EVERYTHING;
  if (protocol !== 'tcp' && protocol !== 'udp') {
    throw usageError(
      `\`--protocol\` must be tcp or udp if \`--to\` has a port, got: ${protocol} and "${to}"`,
    );
  }
  const [first, last] = port === undefined ? [1, 65_535] : [Number(port), Number(port)];
  const services = readPorts(protocol, first, last);
  if (services === undefined) {
    throw usageError(`\`--to\` must have a port from 0 to 65535, got: "${to}"`);
  }
  return services;
}
