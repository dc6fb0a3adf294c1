import { type End, type Name, namesIn, type TreeIntents } from '../../intents/intents-file.js';
import type { Link } from '../../link/link.js';
import { parseAddress } from '../../net/address.js';
import { isPrivateAddress, LINK_NETWORK, parseNetwork } from '../../net/cidr.js';
import { FIXED_CIDRS } from '../../net/fixed-addresses.js';
import { isInside } from '../transport/addresses.js';

/** Everything that tells whom a name means, as far as a check knows it. */
export interface Names {
  readonly file: TreeIntents;
  readonly links: readonly Pick<Link, 'name' | 'expectedAddresses'>[];
  /** The option that the called door belongs to. */
  readonly via: string;
  /** The service is a caller there, and not called. */
  readonly isInward: boolean;
}

/** Tells whether an end means an address; undefined where that is not known from here. */
export function means(end: End, address: string, known: Names): boolean | undefined {
  const { names, isNot } = namesIn(end);
  const inside = anyOf(names, address, known);
  return isNot && inside !== undefined ? !inside : inside;
}

function anyOf(all: readonly Name[], address: string, names: Names): boolean | undefined {
  const found = all.map((name) => isNamed(name, address, names));
  if (found.includes(true)) return true;
  return found.includes(undefined) ? undefined : false;
}

function isNamed(name: Name, address: string, names: Names): boolean | undefined {
  // Accounts and endpoints call over a private link, never from an address of their own.
  if (typeof name === 'object') return false;
  const { file, links } = names;
  const own =
    file.names !== undefined && Object.hasOwn(file.names, name) ? file.names[name] : undefined;
  if (own !== undefined) return anyOf(own, address, { ...names, file: { ...file, names: {} } });
  const networks = networksOf(name, names);
  if (networks !== undefined) return isInside(address, networks);
  if (name === 'internet') return !isPrivateAddress(parseAddress(address));
  const link = links.find((one) => one.name === name);
  return link === undefined || link.expectedAddresses.length === 0
    ? undefined
    : isInside(address, link.expectedAddresses);
}

function networksOf(name: string, { file, via, isInward }: Names): readonly string[] | undefined {
  try {
    return [parseNetwork(name).text];
  } catch {
    if (name === 'workloads') return file.workloads;
    if (name !== 'service') return undefined;
    if (!isInward) return FIXED_CIDRS;
    if (via === 'plugin-endpoint-service') return [LINK_NETWORK];
    return file.doors?.filter((door) => door.via === via).flatMap(({ service }) => service);
  }
}
