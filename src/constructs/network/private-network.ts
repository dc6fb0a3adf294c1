import type { ITerraformDependable } from 'cdktf';
import { Construct, type IConstruct } from 'constructs';
import { cloud } from '../../cloud/resource.js';
import { type CommonProps, cloudTags, projectOf } from '../common-props.js';
import { generationName, generationOf, REPLACED_FIRST } from '../generation.js';
import { hasMistakes } from '../mistakes/mistakes.js';
import {
  type IPrivateNetwork,
  type NetworkSubnet,
  type NewNetwork,
  networkProblems,
  type PrivateNetworkAttributes,
} from './network-props.js';
import { keepPlace } from './subnet-places.js';

export interface PrivateNetworkProps extends CommonProps {
  readonly network: NewNetwork;
}

type NetworkFacts = Omit<IPrivateNetwork, keyof IConstruct>;

const NO_NETWORK: NetworkFacts = {
  vpcId: '',
  generation: '',
  cidrs: [],
  subnets: new Map(),
  resources: [],
};

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
    return new ImportedNetwork(scope, id, attributes);
  }

  readonly vpcId: string;
  readonly generation: string;
  readonly cidrs: readonly string[];
  readonly subnets: ReadonlyMap<string, NetworkSubnet>;
  readonly resources: readonly ITerraformDependable[];

  constructor(scope: Construct, id: string, props: PrivateNetworkProps) {
    super(scope, id);
    const { network } = props;
    const made = hasMistakes(this, networkProblems(network)) ? NO_NETWORK : this.#make(props);
    this.vpcId = made.vpcId;
    this.generation = made.generation;
    this.cidrs = made.cidrs;
    this.subnets = made.subnets;
    this.resources = made.resources;
  }

  #make(props: PrivateNetworkProps): NetworkFacts {
    const { network } = props;
    const projectName = projectOf(props);
    const common = {
      tags: cloudTags(props.tags),
      lifecycle: REPLACED_FIRST,
      ...(props.provider && { provider: props.provider }),
    };
    const generation = generationOf(network.cidr, projectName);
    const vpc = new cloud.VpcVpc(this, 'Default', {
      vpcName: generationName(network.name, generation),
      cidrBlock: network.cidr,
      projectName,
      ...common,
    });
    const subnets = byZone(network.subnets).map(([zone, cidr]) => {
      const own = generationOf(generation, cidr);
      const subnet = new cloud.VpcSubnet(this, zone, {
        vpcId: vpc.attributes.vpcId,
        zoneId: zone,
        cidrBlock: cidr,
        subnetName: generationName(`${network.name}-${zone}`, own),
        ...common,
        lifecycle: { ...REPLACED_FIRST, precondition: keepPlace(this, zone, cidr) },
      });
      return { zone, cidr, subnet, generation: own };
    });
    return {
      vpcId: vpc.attributes.vpcId,
      generation,
      cidrs: [network.cidr],
      subnets: new Map(
        subnets.map(({ zone, cidr, subnet, generation: own }) => [
          zone,
          { subnetId: subnet.attributes.subnetId, cidr, generation: own },
        ]),
      ),
      resources: [vpc, ...subnets.map(({ subnet }) => subnet)],
    };
  }
}

class ImportedNetwork extends Construct implements IPrivateNetwork {
  readonly vpcId: string;
  readonly generation: string;
  readonly cidrs: readonly string[];
  readonly subnets: ReadonlyMap<string, NetworkSubnet>;
  readonly resources = [];

  constructor(scope: Construct, id: string, attributes: PrivateNetworkAttributes) {
    super(scope, id);
    const isMistaken = hasMistakes(this, networkProblems(attributes));
    this.vpcId = attributes.vpcId;
    this.generation = generationOf(attributes.vpcId);
    this.cidrs = isMistaken ? [] : attributes.cidrs;
    this.subnets = new Map(
      (isMistaken ? [] : byZone(attributes.subnets)).map(([zone, subnet]) => [
        zone,
        { ...subnet, generation: generationOf(subnet.subnetId) },
      ]),
    );
  }
}

/** In the order of the zones, so that the order of the settings changes nothing. */
function byZone<T>(subnets: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(subnets).sort(([a], [b]) => (a < b ? -1 : 1));
}
