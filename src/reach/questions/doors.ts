import type { AccessFile } from '../../access/access-file.js';
import { type PacketRule, packetRule } from '../packet-rule.js';
import { list, object, text } from '../read/json.js';
import { resolveStack } from '../read/resolve.js';
import type { TerraformStackJson } from '../read/terraform-json.js';
import { nameFlows } from '../rules/name-flows.js';
import { readPackets } from '../rules/read-packets.js';
import type { RuleList } from '../rules/reading.js';
import { type EffectiveFlow, ResourceIndex } from '../rules/reading.js';
import { ALL_CLOSED, ALL_OPEN, type Answers } from '../semantics.js';
import { RuleLookup } from '../sets/lookup.js';
import { directionKey } from '../sets/region.js';

/** A stack to be asked about. */
export interface AskedStack {
  readonly name: string;
  /** The file that its resources are written in. */
  readonly file: string;
  readonly terraform: TerraformStackJson;
  readonly access?: AccessFile;
  /** Parts of its source that could not be read, as clauses. */
  readonly unread?: readonly string[];
}

/** A list of rules, under the name that people have for what it guards. */
export interface Door {
  readonly stack: string;
  readonly file: string;
  readonly subject: string;
  readonly via: string;
  /** The VPC that the carrier is in: Terraform's address or the identifier; empty where it is in none. */
  readonly vpc: string;
  /** The subnets that the carrier is in, or that a network ACL guards. */
  readonly subnets: readonly string[];
  readonly list: RuleList;
}

/** Everything of a stack that questions are answered from. */
export interface Reached {
  readonly name: string;
  readonly doors: readonly Door[];
  /** Open packets, by subject, under both extremes of what is assumed of the cloud. */
  readonly open: Readonly<Record<Answers['group-outward'], readonly PacketRule[]>>;
  /** Finds the access rules that state packets, for their reasons. */
  readonly stated: RuleLookup<PacketRule>;
  /** Parts that are not read, as clauses. */
  readonly unread: readonly string[];
}

/** Reads what a stack lets through, with the rules that decide. */
export function readReached({ name, file, terraform, access, unread = [] }: AskedStack): Reached {
  const index = new ResourceIndex(resolveStack(terraform).resources);
  const read = readPackets(index, () => true, ALL_OPEN);
  const own = new Set(terraform.resources.map(({ address }) => address));
  const rules = (access?.rules ?? []).map((rule) => packetRule(name, rule, own));
  const stated = new RuleLookup(rules, directionKey);
  const named = nameFlows(name, withoutLists(read.flows), stated);
  const names = new Map<string, PacketRule>();
  // Only one direction may be stated: the other is of the same thing.
  for (const rule of named.toReversed()) {
    if (rule.via !== '') names.set(rule.carrier ?? '', rule);
  }
  for (const rule of named) names.set(`${rule.direction} ${rule.carrier}`, rule);
  const closed = readPackets(index, () => true, ALL_CLOSED).flows;
  const elsewhere = rules.filter(({ enforcedElsewhere }) => enforcedElsewhere !== undefined);
  return {
    name,
    stated,
    open: {
      open: [...named, ...elsewhere],
      closed: [...nameFlows(name, withoutLists(closed), stated), ...elsewhere],
    },
    doors: read.lists.map((list): Door => {
      const own = names.get(`${list.direction} ${list.carrier}`);
      const known = own === undefined || own.via === '' ? names.get(list.carrier) : own;
      const { subject = list.carrier, via = '' } = known ?? {};
      const [vpc, subnets] = [vpcOf(list, index), subnetsOf(list, index)];
      return { stack: name, file, subject, via, vpc, subnets, list };
    }),
    unread: [
      ...unread,
      ...read.unread.map(({ where, attribute = '', why }) => `${where} ${attribute}: ${why}`),
    ],
  };
}

/** A list that nobody here uses lets nobody in. */
function withoutLists(flows: readonly EffectiveFlow[]): EffectiveFlow[] {
  return flows.filter(({ kind }) => kind !== 'list');
}

/** The subnets of the interfaces that a list guards. */
function subnetsOf({ carrier, rules }: RuleList, index: ResourceIndex): string[] {
  const words = [...carrier.split(' '), ...rules.map(({ resource }) => resource)];
  const bodies = words.flatMap((word) => {
    const body = index.at(word)?.body;
    const balancer = index.named(body?.load_balancer_id)?.body;
    return [body ?? [], balancer ?? []].flat();
  });
  const named = bodies.flatMap((body) => [
    body.subnet_id,
    ...list(body.zones).map((zone) => object(zone).subnet_id),
    ...list(body.resources).map((one) => object(one).resource_id),
  ]);
  const subnets = named.filter((id) => text(id) !== '');
  return [...new Set(subnets.map((id) => index.named(id)?.address ?? text(id)))];
}

/** The first resource of a list that says in which VPC it is. */
function vpcOf({ carrier, rules }: RuleList, index: ResourceIndex): string {
  const [address = ''] = carrier.split(' ');
  const carriers = [address, ...rules.map(({ resource }) => resource)];
  for (const one of carriers) {
    const body = index.at(one)?.body ?? {};
    const subnet = index.named(body.subnet_id)?.body ?? {};
    const vpc = [body.vpc_id, subnet.vpc_id].find((id) => text(id) !== '');
    if (vpc !== undefined) return index.named(vpc)?.address ?? text(vpc);
  }
  return '';
}
