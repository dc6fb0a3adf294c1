import { parseAddress } from '../../net/address.js';
import type { AddressList, AddressState } from '../../net/address-list.js';
import { type Cidr, cidrContains, hostCidr, parseCidr } from '../../net/cidr.js';

/** What one resolver said. */
export interface Answer {
  /** `IP:PORT`, or `system`. */
  readonly server: string;
  readonly addresses: readonly string[];
  /** The code of why there is no answer. */
  readonly error?: string;
}

export interface Comparison {
  /** Resolved, but not let through: `state` is `removed` where the list says so. */
  readonly outside: readonly {
    readonly address: string;
    readonly servers: readonly string[];
    readonly state?: AddressState;
  }[];
  /** Let through, but in no answer: a resolver sees only its own subset. */
  readonly unresolved: readonly string[];
}

/** Compares what resolvers said with what rules let through. */
export function compare(list: AddressList, answers: readonly Answer[]): Comparison {
  const entries = list.entries.map((entry) => ({ ...entry, cidr: networkOf(entry.address) }));
  const effective = entries.filter(({ state }) => state !== 'removed');
  const resolved = [...new Set(answers.flatMap(({ addresses }) => addresses))];
  const isIn =
    (address: string) =>
    ({ cidr }: { readonly cidr: Cidr }) =>
      cidrContains(cidr, parseAddress(address));
  return {
    outside: resolved
      .filter((address) => !effective.some(isIn(address)))
      .map((address) => {
        const state = entries.find(isIn(address))?.state;
        return { address, servers: serversOf(address, answers), ...(state && { state }) };
      }),
    unresolved: effective
      .filter((entry) => !resolved.some((address) => isIn(address)(entry)))
      .map(({ address }) => address),
  };
}

export function networkOf(text: string): Cidr {
  return text.includes('/') ? parseCidr(text) : hostCidr(text);
}

function serversOf(address: string, answers: readonly Answer[]): string[] {
  return answers.filter(({ addresses }) => addresses.includes(address)).map(({ server }) => server);
}
