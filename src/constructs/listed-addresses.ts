import { type AccessException, type AccessRule, exceptionProblems } from '../access/access-rule.js';
import {
  type AddressList,
  addressListProblems,
  effectiveCidrs,
  shrinkProblems,
} from '../net/address-list.js';
import type { CommonProps } from './common-props.js';
import { literalProblems, numberProblems } from './mistakes/literal.js';

/** A list of addresses that a construct turns into rules. */
export interface ListedAddresses extends AddressList {
  /** Allows the list to shrink by more than a quarter at once. @default - refused */
  readonly shrinkException?: AccessException;
}

/**
 * Every reason not to build rules from the list of a construct's property.
 *
 * @param before how many addresses were let through before, where that is known
 */
export function listProblems(property: string, list: ListedAddresses, before = 0): string[] {
  const addresses = list.entries.map(({ address }) => address);
  const unknown = literalProblems(`${property}.entries`, list.entries, ...addresses);
  if (unknown.length > 0) return unknown;
  const problems = addressListProblems(`${property}.entries`, list);
  if (problems.length > 0) return problems;
  const { shrinkException } = list;
  return shrinkException === undefined
    ? shrinkProblems(`${property}.entries`, list, before)
    : exceptionProblems(`${property}.shrinkException`, shrinkException);
}

export function portProblems(property: string, ports: readonly number[]): string[] {
  return ports.length === 0
    ? [`\`${property}\` must name at least one port`]
    : numberProblems(property, ports, [1, 65535]);
}

/** One rule for each address of the list and each port. */
export function listedRules(
  list: AddressList,
  ports: readonly number[],
  rule: Omit<AccessRule, 'peer' | 'ports' | 'protocol'>,
): AccessRule[] {
  return effectiveCidrs(list).flatMap((cidr) =>
    ports.map((port) => ({
      ...rule,
      peer: { kind: 'cidr' as const, cidr },
      protocol: 'tcp' as const,
      ports: { first: port, last: port },
    })),
  );
}

/** The tags of what is made from a list: the given ones, and the version of the list. */
export function listTags(list: AddressList, { tags }: CommonProps): Record<string, string> {
  return { ...tags, 'list-version': list.version };
}
