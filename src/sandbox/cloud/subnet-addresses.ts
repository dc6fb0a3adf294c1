import { type Address, formatAddress } from '../../net/address.js';
import type { Cidr } from '../../net/cidr.js';

// The cloud keeps the first address of a subnet and the last three for itself.
const RESERVED_AT_END = 3n;

export function firstUsable(subnet: Cidr): bigint {
  return subnet.first + 1n;
}

export function lastUsable(subnet: Cidr): bigint {
  return subnet.last - RESERVED_AT_END;
}

export function usableCount(subnet: Cidr): number {
  return Number(lastUsable(subnet) - firstUsable(subnet) + 1n);
}

export function isUsable(subnet: Cidr, { family, value }: Address): boolean {
  return family === 4 && firstUsable(subnet) <= value && value <= lastUsable(subnet);
}

/** The lowest usable address that is not taken. */
export function freeAddress(subnet: Cidr, taken: ReadonlySet<string>): string | undefined {
  for (let value = firstUsable(subnet); value <= lastUsable(subnet); value += 1n) {
    const text = formatAddress({ family: 4, value });
    if (!taken.has(text)) return text;
  }
  return undefined;
}
