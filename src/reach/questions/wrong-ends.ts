import { usageError } from '../../codes/connectivity-error.js';
import { nearestText } from '../../codes/near-text.js';
import { isNetworkText, parseNetwork } from '../../net/cidr.js';
import { type AddressPeer, networkPeer, type PacketRule } from '../packet-rule.js';
import { isCalled, type Way } from '../ways/door.js';
import type { Reached } from '../ways/doors.js';
import type { Question } from './answer.js';

type Direction = Question['direction'];
export type AskedStacks = readonly Pick<Reached, 'ways' | 'named' | 'unread'>[];

/** Refuses a name that nothing has, or that is not in the VPC asked about. @throws ConnectivityError `usage.invalid` */
export function requireName(
  direction: Direction,
  name: string,
  vpc: string | undefined,
  stacks: AskedStacks,
): void {
  const ways = waysOf(stacks, name).filter((way) => way.direction === direction);
  if (ways.length === 0) throw unknownName(direction, name, stacks);
  const isThere = ({ vpc: own, names }: Way) =>
    vpc === undefined || own === '' || own === vpc || !names.includes(name);
  if (ways.some(isThere)) return;
  const vpcs = [...new Set(ways.map((way) => way.vpc))].sort().join(', ');
  throw usageError(`\`--vpc\` must be one of ${vpcs} for ${name}, got: "${vpc}"`);
}

/** The same where no other end is given: what accounts and endpoints reach has a name as well. */
export function requireEnd(
  direction: Direction,
  name: string,
  vpc: string | undefined,
  stacks: AskedStacks,
): void {
  const flag = direction === 'ingress' ? '--to' : '--from';
  const { name: own, port } = splitPort(name);
  if (port !== undefined && readPeer(own) !== undefined) throw portOfCaller(name);
  if (isNetworkText(name)) throw wrongAddress(flag, name);
  const rules = stacks.flatMap(({ named }) => named);
  const isNamed = rules.some(
    (rule) => rule.direction === direction && namesOf(rule).includes(name),
  );
  if (!isNamed) requireName(direction, name, vpc, stacks);
}

function unknownName(direction: Direction, name: string, stacks: AskedStacks): Error {
  if (direction === 'ingress') return noName('--to', name, namesText(stacks, direction));
  const { name: own, port } = splitPort(name);
  if (port !== undefined && waysOf(stacks, own).length > 0) return portOfCaller(name);
  return noName('--from', name, namesText(stacks, direction));
}

function noName(flag: string, name: string, { names, text }: Names): Error {
  return usageError(`\`${flag}\` must be ${text}, got: "${name}"${nearestText(name, names)}`);
}

/** Builds the error for two ends that are both addresses, or neither. */
export function wrongEnds(from: string, to: string, stacks: AskedStacks): Error {
  const [caller, called] = [splitPort(from), splitPort(to)];
  const { text: names } = namesText(stacks);
  if (readPeer(from) !== undefined) {
    return usageError(`\`--to\` must be ${names} if \`--from\` is an address, got: "${to}"`);
  }
  if (caller.port !== undefined && readPeer(caller.name) !== undefined) return portOfCaller(from);
  const isPlace = (name: string) => waysOf(stacks, name).length > 0;
  if (isPlace(called.name) || isNetworkText(from)) return noAddress('--from', from, '--to');
  if (isPlace(from) || isNetworkText(called.name)) return noAddress('--to', called.name, '--from');
  const both = `got: "${from}" and "${to}"`;
  return usageError(
    `one of \`--from\` and \`--to\` must be an address or a network, and the other ${names}, ${both}`,
  );
}

function portOfCaller(from: string): Error {
  return usageError(`\`--from\` must have no port, which only \`--to\` can have, got: "${from}"`);
}

/** The error of what is written as an address and is none. */
function wrongAddress(flag: string, written: string): Error {
  try {
    parseNetwork(written);
  } catch (error) {
    return usageError(`\`${flag}\` ${(error as Error).message}, got: "${written}"`);
  }
  return usageError(`\`${flag}\` must be a name, got: "${written}"`);
}

function noAddress(flag: string, written: string, other: string): Error {
  if (isNetworkText(written) && readPeer(written) === undefined) {
    return wrongAddress(flag, written);
  }
  const rule = `must be an address or a network if \`${other}\` is a name`;
  return usageError(`\`${flag}\` ${rule}, got: "${written}"`);
}

/** The ways of a name, in whichever VPC and direction. */
function waysOf(stacks: AskedStacks, name: string): Way[] {
  return stacks.flatMap(({ ways }) => ways.filter((way) => isCalled(way, name, ways)));
}

interface Names {
  readonly names: readonly string[];
  readonly text: string;
}

/** The names that a question can use, and what might hold others. */
function namesText(stacks: AskedStacks, direction?: Direction): Names {
  const ways = stacks.flatMap((stack) => stack.ways);
  const asked = ways.filter((way) => direction === undefined || way.direction === direction);
  const all = asked.flatMap(({ subject, hosts, direction: own }) => [
    subject,
    ...(own === 'ingress' ? hosts.map(({ name }) => name) : []),
  ]);
  const names = [...new Set(all)].sort();
  const there = names.join(', ') || '(nothing is there)';
  // A place that is gone or was not read would be taken for a mistake in its name.
  const unread = stacks.flatMap((stack) => stack.unread);
  const more = unread.length === 0 ? '' : ` (not read: ${unread.join('; ')})`;
  return { names, text: `one of ${there}${more}` };
}

/** Reads an address or a network; undefined if it is neither. */
export function readPeer(text: string): AddressPeer | undefined {
  const peer = networkPeer(text);
  return peer.kind === 'addresses' ? peer : undefined;
}

/** A port follows the last colon; an IPv6 address with one stands in brackets. */
export function splitPort(end: string): { readonly name: string; readonly port?: string } {
  const [, bracketed, after] = /^\[([^\]]+)\](?::(\d+))?$/.exec(end) ?? [];
  if (bracketed !== undefined) return { name: bracketed, ...(after && { port: after }) };
  if (readPeer(end) !== undefined) return { name: end };
  const [, name, port] = /^(.*):(\d+)$/s.exec(end) ?? [];
  return name === undefined || port === undefined ? { name: end } : { name, port };
}

/** The names that a question can call what a rule is of. */
export function namesOf({ subject, carrier, resource }: PacketRule): string[] {
  return [subject, carrier, resource].filter((name) => name !== undefined);
}
