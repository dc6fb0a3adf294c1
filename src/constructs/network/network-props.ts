import type { ITerraformDependable } from 'cdktf';
import type { IConstruct } from 'constructs';

/** A VPC to make. */
export interface NewNetwork {
  /** Name of the VPC and first part of the names of its subnets. */
  readonly name: string;
  /** Inside 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16, at most a /24. */
  readonly cidr: string;
  /** CIDR of the subnet by zone: `{ 'cn-beijing-a': '10.20.1.0/24' }`. */
  readonly subnets: Readonly<Record<string, string>>;
}

/** A VPC that exists, as `PrivateNetwork.fromAttributes` takes it. Ids may be tokens. */
export interface PrivateNetworkAttributes {
  readonly vpcId: string;
  /** All CIDRs of the VPC. */
  readonly cidrs: readonly string[];
  /** The subnet to use by zone. */
  readonly subnets: Readonly<Record<string, { readonly subnetId: string; readonly cidr: string }>>;
}

/** A subnet of a network, in one zone. */
export interface NetworkSubnet {
  readonly subnetId: string;
  readonly cidr: string;
  /** Another one where a change replaces the subnet. */
  readonly generation: string;
}

/** A VPC that only uses what another one has, as `IPrivateNetwork` can. */
export interface BoundNetwork {
  /** May be a token. */
  readonly vpcId: string;
  /** All CIDRs of the VPC, as text. */
  readonly cidrs: readonly string[];
}

/** A VPC with one subnet a zone. */
export interface IPrivateNetwork extends IConstruct {
  readonly vpcId: string;
  /** Another one where a change replaces the VPC. */
  readonly generation: string;
  /** CIDRs of the VPC, as text. */
  readonly cidrs: readonly string[];
  /** Subnets by zone; none where the network has mistakes, which are reported at synth. */
  readonly subnets: ReadonlyMap<string, NetworkSubnet>;
  /** The resources that must be there before the network can be used. */
  readonly resources: readonly ITerraformDependable[];
}
