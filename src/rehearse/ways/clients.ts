import { nameSome } from '../../lists/counted.js';
import { formatAddress } from '../../net/address.js';
import { rangeText } from '../../reach/packet-rule.js';
import { type AddressRange, compare } from '../../reach/sets/ranges.js';

/** `partly` where some addresses of a name, or some clients, are open and others are not. */
export type WayState =
  | 'open'
  | 'no-route'
  | 'dropped'
  | 'not-connected'
  | 'partly'
  | 'no-name'
  | 'public'
  | 'no-listener'
  | 'refused'
  | 'unreachable';

/** IPv4 clients that fare alike in every state, with one of them to dial from. */
export interface Clients extends AddressRange {
  readonly address: string;
  readonly states: readonly WayState[];
}

/** Clients that rules treat alike: beyond so many parts only the sets of packets have the rest. */
const MAX_PARTS = 512;

/**
 * Splits the addresses that may be let in at first wherever those of any state begin or end: within a part
 * every state treats all addresses alike.
 */
export function splitClients(letIn: readonly (readonly AddressRange[])[]): AddressRange[] {
  const [first = []] = letIn;
  const starts = letIn.flat().flatMap((range) => [range.first, range.last + 1n]);
  const ordered = [...new Set(starts)].sort(compare);
  const parts: AddressRange[] = [];
  for (const [i, start] of ordered.entries()) {
    const next = ordered[i + 1];
    if (next === undefined || parts.length === MAX_PARTS) break;
    if (first.some((range) => range.first <= start && start <= range.last)) {
      parts.push({ first: start, last: next - 1n });
    }
  }
  return parts;
}

/** Finds the states of each part, and joins neighbours that fare alike. */
export function followClients(
  parts: readonly AddressRange[],
  statesOf: (address: string) => readonly WayState[],
): Clients[] {
  const joined: Clients[] = [];
  for (const { first, last } of parts) {
    const address = lastUsable({ first, last });
    const states = statesOf(address);
    const before = joined.at(-1);
    const isAlike = before?.states.every((state, i) => state === states[i]) === true;
    if (before !== undefined && isAlike && before.last + 1n === first) {
      joined[joined.length - 1] = { ...before, last, address };
    } else joined.push({ first, last, address, states });
  }
  return joined;
}

export function laneKey(stack: string, name: string): string {
  return JSON.stringify([stack, name]);
}

function lastUsable({ first, last }: AddressRange): string {
  return formatAddress({ family: 4, value: last - first > 1n ? last - 1n : last });
}

/** The limit of ranges that a sentence names. */
const MAX_NAMED = 6;

/** `10.30.0.0/17, 10.30.192.0/18`. */
export function clientsText(clients: readonly AddressRange[]): string {
  const names = clients.map(({ first, last }) => rangeText(4, first, last));
  return nameSome(names, MAX_NAMED, 'more range');
}
