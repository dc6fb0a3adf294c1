import type { ITerraformDependable } from 'cdktf';
import { Construct } from 'constructs';
import { propsProblems, required, type Shape } from '../cloud/props/shape.js';
import { cloud } from '../cloud/resource.js';
import { type Cidr, parseCidr, toCidr } from '../net/cidr.js';
import { NOT_MADE } from './mistakes.js';
import {
  attributesProblems,
  type IPrivateNetwork,
  type NetworkSubnet,
  type NewNetwork,
  networkProblems,
  newNetwork,
  type PrivateNetworkAttributes,
} from './network-props.js';
import { COMMON_PROPS, type CommonProps, resourceProps } from './props-and-outputs.js';
import { generationName, hashGeneration, REPLACED_FIRST, Remembered } from './replacement.js';
import { reportProblems } from './stack-access.js';

export interface PrivateNetworkProps extends CommonProps {
  readonly network: NewNetwork;
}

const PROPS: Shape<PrivateNetworkProps> = { ...COMMON_PROPS, network: required(newNetwork) };

/** Attributes in place of those with mistakes. */
const NOTHING: PrivateNetworkAttributes = { vpcId: NOT_MADE, cidrs: [], subnets: {} };

/** Subnets change their size only by leaving the block of this size that they are in. */
const BLOCK = 20;

/**
 * A new VPC with one subnet per zone.
 *
 * @example
 * ```ts
 * new PrivateNetwork(stack, 'network', {
 *   network: {
 *     name: 'agents',
 *     cidr: '10.30.0.0/16',
 *     subnets: { 'cn-beijing-a': '10.30.1.0/24' },
 *   },
 * });
 * // One that exists; nothing in it is made or changed.
 * PrivateNetwork.fromAttributes(stack, 'existing', {
 *   vpcId: 'vpc-1a2b',
 *   cidrs: ['10.40.0.0/16'],
 *   subnets: { 'cn-beijing-a': { subnetId: 'subnet-1a2b', cidr: '10.40.1.0/24' } },
 * });
 * ```
 */
export class PrivateNetwork extends Construct implements IPrivateNetwork {
  /** An existing network: nothing in it is created or changed. */
  static fromAttributes(
    scope: Construct,
    id: string,
    attributes: PrivateNetworkAttributes,
  ): IPrivateNetwork {
    const construct = new Construct(scope, id);
    const isMistaken = reportProblems(construct, attributesProblems(attributes));
    const { vpcId, cidrs, subnets: given } = isMistaken ? NOTHING : attributes;
    const subnets = byZone(given);
    const known = subnets.map(([zone, subnet]): [string, NetworkSubnet] => [
      zone,
      { ...subnet, generation: hashGeneration(subnet.subnetId) },
    ]);
    return Object.assign(construct, {
      vpcId,
      generation: hashGeneration(vpcId),
      cidrs,
      subnets: new Map(known),
      resources: [],
    });
  }

  readonly vpcId: string = NOT_MADE;
  readonly generation: string = '';
  readonly cidrs: readonly string[] = [];
  readonly subnets: ReadonlyMap<string, NetworkSubnet> = new Map();
  readonly resources: readonly ITerraformDependable[] = [];

  constructor(scope: Construct, id: string, props: PrivateNetworkProps) {
    super(scope, id);
    const found = propsProblems(PROPS, props, ({ network }) => networkProblems(network));
    if (reportProblems(this, found)) return;
    const { network } = props;
    const { projectName, ...common } = resourceProps(props);
    const generation = hashGeneration(network.cidr, projectName);
    const vpc = new cloud.VpcVpc(this, 'Default', {
      vpcName: generationName(network.name, generation),
      cidrBlock: network.cidr,
      projectName,
      lifecycle: REPLACED_FIRST,
      ...common,
    });
    this.vpcId = vpc.attributes.vpcId;
    this.generation = generation;
    this.cidrs = [network.cidr];
    const subnets = byZone(network.subnets).map(([zone, cidr]) => this.#subnet(props, zone, cidr));
    this.subnets = new Map(subnets.map(({ zone, made }) => [zone, made]));
    this.resources = [vpc, ...subnets.map(({ subnet }) => subnet)];
  }

  #subnet(props: PrivateNetworkProps, zone: string, cidr: string) {
    const { tags, provider } = resourceProps(props);
    const generation = hashGeneration(this.generation, cidr);
    const subnet = new cloud.VpcSubnet(this, zone, {
      vpcId: this.vpcId,
      zoneId: zone,
      cidrBlock: cidr,
      subnetName: generationName(`${props.network.name}-${zone}`, generation),
      lifecycle: { ...REPLACED_FIRST, precondition: keepPlace(this, zone, cidr) },
      tags,
      provider,
    });
    return { zone, subnet, made: { subnetId: subnet.attributes.subnetId, cidr, generation } };
  }
}

/** Sorts by zone, so that the order of the settings changes nothing. */
function byZone<T>(subnets: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(subnets).sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * A changed subnet is made while the old one is still there, and the cloud lets no two of a VPC
 * overlap. So a plan refuses one that would lie over what was deployed: another size at the same place,
 * or the place of another zone's subnet.
 *
 * @returns preconditions of the subnet
 */
function keepPlace(scope: Construct, zone: string, cidr: string) {
  const subnet = parseCidr(cidr);
  const block = enclosingBlock(subnet);
  const inTwoDeploys = `Deploy in two steps: first give ${zone} a free CIDR of the network, then ${cidr}.`;
  const size = new Remembered(scope, `${zone}-in-${cidrId(block)}`, {
    size: {
      value: `/${subnet.prefix}`,
      refusal: (before) =>
        `The subnet of ${zone} is a ${before} in ${block} and cannot become ${cidr} there, while the old one is still in use. ${inTwoDeploys} The free one must lie outside ${block}.`,
    },
  });
  const place = new Remembered(scope, `${cidrId(cidr)}-of`, {
    zone: {
      value: zone,
      refusal: (before) =>
        `${cidr} is the subnet of ${before}, and cannot become that of ${zone} in the same deploy. ${inTwoDeploys}`,
    },
  });
  return [...size.preconditions, ...place.preconditions];
}

/** The block that a subnet lies in, or the subnet itself where it is larger. */
function enclosingBlock({ family, first, prefix }: Cidr): string {
  return toCidr({ family, value: first }, Math.min(prefix, BLOCK)).text;
}

function cidrId(cidr: string): string {
  return cidr.replaceAll(/[./]/g, '-');
}
