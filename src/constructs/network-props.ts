import { type ITerraformDependable, TerraformStack } from 'cdktf';
import type { IConstruct } from 'constructs';
import { kind, list, map, text } from '../cloud/props/kinds.js';
import { isToken, object, propsProblems, required, type Shape } from '../cloud/props/shape.js';
import { ZONE } from '../cloud/table/names.js';
import { isObject } from '../files/json.js';
import { type Cidr, cidrCovers, cidrsOverlap, parseCidr } from '../net/cidr.js';
import { collectProblems, formatProblems, literalProblems, openProblems } from './mistakes.js';
import { name } from './props-and-outputs.js';

/** A VPC to create. */
export interface NewNetwork {
  /** Name of the VPC, and prefix for the names of its subnets. */
  readonly name: string;
  /** Inside 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16, at most a /24. */
  readonly cidr: string;
  /** CIDR of each subnet by zone: `{ 'cn-beijing-a': '10.20.1.0/24' }`. */
  readonly subnets: Readonly<Record<string, string>>;
}

/** An existing VPC, as `PrivateNetwork.fromAttributes` takes it. Ids may be tokens. */
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
  /** A different id if a change replaces the subnet. */
  readonly generation: string;
}

/** A VPC that only refers to an existing one, as `IPrivateNetwork` can. */
export interface BoundNetwork {
  /** May be a token. */
  readonly vpcId: string;
  /** All CIDRs of the VPC, as text. */
  readonly cidrs: readonly string[];
}

/** A VPC with one subnet per zone. */
export interface IPrivateNetwork extends IConstruct {
  readonly vpcId: string;
  /** A different id if a change replaces the VPC. */
  readonly generation: string;
  /** CIDRs of the VPC, as text. */
  readonly cidrs: readonly string[];
  /** Subnets by zone; empty if the network has mistakes, which are reported at synth. */
  readonly subnets: ReadonlyMap<string, NetworkSubnet>;
  /** The resources that must exist before the network can be used. */
  readonly resources: readonly ITerraformDependable[];
}

/** The networks that the cloud takes a VPC's addresses from. */
const VPC_RANGES = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].map(parseCidr);

/** A network that constructs are placed in. */
export const network = kind(
  'a network: a PrivateNetwork, or PrivateNetwork.fromAttributes of an existing one',
  isNetwork,
);

function isNetwork(value: unknown): value is IPrivateNetwork {
  return (
    isObject(value) &&
    typeof value.vpcId === 'string' &&
    Array.isArray(value.cidrs) &&
    Array.isArray(value.resources) &&
    value.subnets instanceof Map
  );
}

/** The parts of the network of a VPC, as far as the stack of a construct makes it; undefined where it does not. */
export function madeNetwork(
  construct: IConstruct,
  vpcId: string,
): ITerraformDependable[] | undefined {
  const networks = TerraformStack.of(construct).node.findAll().filter(isNetwork);
  const made = networks.filter((one) => one.vpcId === vpcId).flatMap(({ resources }) => resources);
  return made.length > 0 ? made : undefined;
}

/** A VPC that a private zone is bound to; a network is one. */
export const boundNetwork = kind('an object with vpcId and cidrs, or a network', isBoundNetwork);

function isBoundNetwork(value: unknown): value is BoundNetwork {
  if (!isObject(value)) return false;
  const { vpcId, cidrs } = value;
  return typeof vpcId === 'string' && (Array.isArray(cidrs) || isToken(cidrs));
}

/** A new network as a prop. */
export const newNetwork = object<NewNetwork>('an object with name, cidr and subnets', {
  name: required(name),
  cidr: required(text),
  subnets: required(map('an object of CIDRs by zone', text)),
});

const ATTRIBUTES: Shape<PrivateNetworkAttributes> = {
  vpcId: required(text),
  cidrs: required(list('CIDRs', text)),
  subnets: required(
    map(
      'an object of subnets by zone',
      object<PrivateNetworkAttributes['subnets'][string]>('an object with subnetId and cidr', {
        subnetId: required(text),
        cidr: required(text),
      }),
    ),
  ),
};

/** Every reason not to use an existing network. */
export function attributesProblems(attributes: PrivateNetworkAttributes): string[] {
  return propsProblems(ATTRIBUTES, attributes, networkProblems);
}

/** Every reason not to build, or not to use, a network. */
export function networkProblems(network: NewNetwork | PrivateNetworkAttributes): string[] {
  const isNew = 'cidr' in network;
  const unknown = [
    ...literalProblems('subnets', network.subnets),
    ...(isNew ? [] : literalProblems('cidrs', network.cidrs)),
  ];
  if (unknown.length > 0) return unknown;
  const blocks = isNew ? [network.cidr] : network.cidrs;
  const subnets = Object.entries(network.subnets).map(
    ([zone, subnet]) =>
      [`subnets.${zone}`, typeof subnet === 'string' ? subnet : subnet.cidr] as const,
  );
  const named = [...blocks.map((cidr) => [isNew ? 'cidr' : 'cidrs', cidr] as const), ...subnets];
  const malformed = named.flatMap(([property, cidr]) => formatProblems(property, cidr, parseCidr));
  if (malformed.length > 0) return malformed;
  const parsed = blocks.map(parseCidr);
  const ofBlocks = isNew ? parsed.flatMap(rangeProblems) : openProblems('cidrs', parsed);
  return collectProblems(
    subnets.length === 0 && '`subnets` must name at least one zone',
    Object.keys(network.subnets)
      .filter((zone) => !ZONE.test(zone))
      .map(
        (zone) =>
          `\`subnets\` must be in zones of North China 2, the region of the service, such as cn-beijing-a, got: "${zone}"`,
      ),
    ofBlocks,
    // Where the network is mistaken, whether a subnet lies in it says nothing of the subnet.
    ofBlocks.length === 0 &&
      subnets.flatMap(([property, cidr]) => placeProblems(property, parseCidr(cidr), parsed)),
    sharedSubnetProblems(network),
    overlapProblems(subnets.map(([property, cidr]) => ({ property, cidr: parseCidr(cidr) }))),
  );
}

function sharedSubnetProblems(network: NewNetwork | PrivateNetworkAttributes): string[] {
  if (!('vpcId' in network)) return [];
  const ids = Object.values(network.subnets).map(({ subnetId }) => subnetId);
  return Object.entries(network.subnets)
    .filter(([, { subnetId }], index) => ids.indexOf(subnetId) < index)
    .map(
      ([zone, { subnetId }]) =>
        `\`subnets.${zone}\` must differ from the subnets of the other zones, got: "${subnetId}"`,
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
