import { usageError } from '../../codes/connectivity-error.js';
import { groupBy } from '../../lists/group-by.js';
import { type Address, parseAddress } from '../../net/address.js';
import { type Cidr, cidrContains, cidrsOverlap, parseCidr, toCidr } from '../../net/cidr.js';

/** An address that a tree states in a subnet. */
export interface StatedAddress {
  readonly subnet: string;
  /** Absent where the tree does not say it: in another VPC there may be the same addresses. */
  readonly vpcId?: string | undefined;
  readonly address: string;
}

/** Blocks for the subnets that trees name and do not make: where these begin and end, no tree says. */
export class SubnetBlocks {
  readonly #stated: ReadonlyMap<string, Cidr>;
  #spare = 0;

  /**
   * Each subnet holds its addresses, and none of another's.
   *
   * @throws ConnectivityError `usage.invalid` for an address in two subnets of a VPC
   */
  constructor(stated: readonly StatedAddress[]) {
    const byAddress = groupBy(stated, (one) => `${one.vpcId} ${one.address}`);
    const all = [...byAddress.values()].map((same) => {
      const [one] = same;
      const other = same.find(({ subnet }) => subnet !== one.subnet);
      if (other !== undefined) throw inTwoSubnets(one, other.subnet);
      return { ...one, value: parseAddress(one.address) };
    });
    const bySubnet = groupBy(all, ({ subnet }) => subnet);
    this.#stated = new Map(
      [...bySubnet].flatMap(([subnet, own]) => {
        const others = all.filter((one) => one.subnet !== subnet && one.vpcId === own[0].vpcId);
        const block = blockOf(
          own.map(({ value }) => value),
          others.map(({ value }) => value),
        );
        return block === undefined ? [] : [[subnet, block] as const];
      }),
    );
  }

  /** Returns the block of a subnet, or one that no other has. */
  blockFor(subnet: string): string {
    const block = this.#stated.get(subnet) ?? this.#nextSpare();
    return block.text;
  }

  #nextSpare(): Cidr {
    const block = parseCidr(`10.${200 + (this.#spare >> 8)}.${this.#spare & 255}.0/24`);
    this.#spare += 1;
    const isTaken = [...this.#stated.values()].some((one) => cidrsOverlap(one, block));
    return isTaken ? this.#nextSpare() : block;
  }
}

function inTwoSubnets({ address, subnet, vpcId = 'a VPC' }: StatedAddress, other: string) {
  return usageError(
    `\`--head\` must not have ${address} in another subnet of ${vpcId} than \`--base\`, got: ${subnet} and ${other}, which cannot both hold it; state the CIDR of each in the settings, or describe both subnets with \`--with FILE\``,
  );
}

/** As people make them, then narrower ones, of which the cloud has none below the last, then wider ones. */
const PREFIXES = [24, 25, 26, 27, 28, 29, ...Array.from({ length: 15 }, (_, i) => 23 - i)];

/** Finds a block with all of some addresses and none of others; undefined where there is none. */
function blockOf(own: readonly Address[], others: readonly Address[]): Cidr | undefined {
  const [first] = own;
  const blocks = first === undefined ? [] : PREFIXES.map((prefix) => toCidr(first, prefix));
  return blocks.find(
    (block) =>
      own.every((address) => cidrContains(block, address)) &&
      !others.some((address) => cidrContains(block, address)),
  );
}
