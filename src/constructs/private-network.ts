import type { ITerraformDependable } from 'cdktf';
import { Construct } from 'constructs';
import { VpcSubnet, VpcVpc } from '../cloud/resource.js';
import { type Cidr, cidrCovers, cidrsOverlap, parseCidr } from '../net/cidr.js';
import { type CommonProps, cloudTags, projectOf } from './common-props.js';
import { generationName, generationOf, REPLACED_FIRST } from './generation.js';
import { problemOf, refuse } from './invalid.js';
import { keepPlace } from './subnet-places.js';

/** A VPC to make. */
export interface NewNetwork {
  /** Name of the VPC and first part of the names of its subnets. */
  readonly name: string;
  /** Inside 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16, at most a /24. */
  readonly cidr: string;
  /** CIDR of the subnet by zone: `{ 'cn-beijing-a': '10.20.1.0/24' }`. */
  readonly subnets: Readonly<Record<string, string>>;
}

/** A VPC that exists; nothing in it is changed. */
export interface ExistingNetwork {
  readonly vpcId: string;
  /** All CIDRs of the VPC. */
  readonly cidrs: readonly string[];
  /** The subnet to use by zone. */
  readonly subnets: Readonly<Record<string, { readonly subnetId: string; readonly cidr: string }>>;
}

export interface PrivateNetworkProps extends CommonProps {
  readonly network: NewNetwork | ExistingNetwork;
}

/** A subnet of a network, in one zone. */
export interface NetworkSubnet {
  readonly subnetId: string;
  readonly cidr: string;
  /** Another one where a change replaces the subnet. */
  readonly generation: string;
}

/** The networks that the cloud takes a VPC's addresses from. */
const VPC_RANGES = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].map(parseCidr);

/** A VPC with one subnet a zone: a new one, or one that exists. */
export class PrivateNetwork extends Construct {
  readonly vpcId: string;
  /** Another one where a change replaces the VPC. */
  readonly generation: string;
  /** CIDRs of the VPC, as text. */
  readonly cidrs: readonly string[];
  /** Subnets by zone. */
  readonly subnets: ReadonlyMap<string, NetworkSubnet>;
  /** The resources that must be there before the network can be used. */
  readonly resources: readonly ITerraformDependable[];

  constructor(scope: Construct, id: string, props: PrivateNetworkProps) {
    super(scope, id);
    const { network } = props;
    refuse(scope, id, networkProblems(network));
    if ('vpcId' in network) {
      this.vpcId = network.vpcId;
      this.generation = generationOf(network.vpcId);
      this.cidrs = network.cidrs;
      this.subnets = new Map(
        byZone(network.subnets).map(([zone, subnet]) => [
          zone,
          { ...subnet, generation: generationOf(subnet.subnetId) },
        ]),
      );
      this.resources = [];
      return;
    }
    const projectName = projectOf(props);
    const common = {
      tags: cloudTags(props.tags),
      lifecycle: REPLACED_FIRST,
      ...(props.provider && { provider: props.provider }),
    };
    const generation = generationOf(network.cidr, projectName);
    const vpc = new VpcVpc(this, 'Default', {
      vpcName: generationName(network.name, generation),
      cidrBlock: network.cidr,
      projectName,
      ...common,
    });
    const subnets = byZone(network.subnets).map(([zone, cidr]) => {
      const own = generationOf(generation, cidr);
      const subnet = new VpcSubnet(this, zone, {
        vpcId: vpc.attributes.vpcId,
        zoneId: zone,
        cidrBlock: cidr,
        subnetName: generationName(`${network.name}-${zone}`, own),
        ...common,
        lifecycle: { ...REPLACED_FIRST, precondition: keepPlace(this, zone, cidr) },
      });
      return { zone, cidr, subnet, generation: own };
    });
    this.vpcId = vpc.attributes.vpcId;
    this.generation = generation;
    this.cidrs = [network.cidr];
    this.subnets = new Map(
      subnets.map(({ zone, cidr, subnet, generation: own }) => [
        zone,
        { subnetId: subnet.attributes.subnetId, cidr, generation: own },
      ]),
    );
    this.resources = [vpc, ...subnets.map(({ subnet }) => subnet)];
  }
}

/** In the order of the zones, so that the order of the settings changes nothing. */
function byZone<T>(subnets: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(subnets).sort(([a], [b]) => (a < b ? -1 : 1));
}

function networkProblems(network: NewNetwork | ExistingNetwork): string[] {
  const isNew = 'cidr' in network;
  const blocks = isNew ? [network.cidr] : network.cidrs;
  const subnets = Object.entries(network.subnets).map(
    ([zone, subnet]) =>
      [`subnets.${zone}`, typeof subnet === 'string' ? subnet : subnet.cidr] as const,
  );
  const named = [...blocks.map((cidr) => [isNew ? 'cidr' : 'cidrs', cidr] as const), ...subnets];
  const malformed = named.flatMap(([property, cidr]) => problemOf(property, cidr, parseCidr));
  if (malformed.length > 0) return malformed;
  const parsed = blocks.map(parseCidr);
  return [
    ...(subnets.length === 0 ? ['`subnets` must name at least one zone'] : []),
    ...(isNew ? parsed.flatMap(rangeProblems) : []),
    ...subnets.flatMap(([property, cidr]) => placeProblems(property, parseCidr(cidr), parsed)),
    ...sharedSubnetProblems(network),
    ...overlapProblems(subnets.map(([property, cidr]) => ({ property, cidr: parseCidr(cidr) }))),
  ];
}

function sharedSubnetProblems(network: NewNetwork | ExistingNetwork): string[] {
  if (!('vpcId' in network)) return [];
  const ids = Object.values(network.subnets).map(({ subnetId }) => subnetId);
  return Object.entries(network.subnets)
    .filter(([, { subnetId }], index) => ids.indexOf(subnetId) < index)
    .map(
      ([zone, { subnetId }]) =>
        `\`subnets.${zone}\` must be another subnet than the other zones have, got: "${subnetId}"`,
    );
}

function rangeProblems(cidr: Cidr): string[] {
  if (VPC_RANGES.some((range) => cidrCovers(range, cidr)) && cidr.prefix <= 24) return [];
  const ranges = VPC_RANGES.map(({ text }) => text).join(', ');
  return [`\`cidr\` must lie in ${ranges} with a mask of at most /24, got: "${cidr.text}"`];
}

function placeProblems(property: string, subnet: Cidr, blocks: readonly Cidr[]): string[] {
  if (blocks.some((block) => cidrCovers(block, subnet))) return [];
  const all = blocks.map(({ text }) => text).join(', ');
  return [`\`${property}\` must lie in the network ${all}, got: "${subnet.text}"`];
}

function overlapProblems(subnets: readonly { property: string; cidr: Cidr }[]): string[] {
  return subnets.flatMap(({ property, cidr }, index) =>
    subnets
      .slice(0, index)
      .filter((other) => cidrsOverlap(cidr, other.cidr))
      .map((other) => `\`${property}\` overlaps \`${other.property}\`, got: "${cidr.text}"`),
  );
}
