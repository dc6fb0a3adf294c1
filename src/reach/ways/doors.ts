import type { AccessFile } from '../../access/access-file.js';
import { groupBy } from '../../lists/group-by.js';
import { type Name, type PacketRule, type Packets, packetRule } from '../packet-rule.js';
import { addressesIn, typeOf } from '../read/address.js';
import { list, object, text } from '../read/json.js';
import { resolveStack, withoutDefaults } from '../read/resolve.js';
import type { TerraformStackJson } from '../read/terraform-json.js';
import { applyNames, CarrierNames, listKey, namesOf } from '../rules/carriers.js';
import { unclearRule } from '../rules/peers.js';
import { readPackets } from '../rules/read-packets.js';
import type { EffectiveFlow, Reading, RuleList } from '../rules/reading.js';
import { ResourceIndex } from '../rules/reading.js';
import { RuleLookup } from '../sets/lookup.js';
import { combine, uniteAll } from '../sets/ranges.js';
import { cellKey, directionKey, peerOf, toRange, toRegion } from '../sets/region.js';
import { subtract } from '../sets/services.js';
import { findBackend } from './backend-servers.js';
import type { Door, Way } from './door.js';
import { findGates, findHostNames } from './gates.js';
import { doubtInstances, isNone } from './instances.js';
import { addressOrId, ENDPOINT } from './resolve-name.js';
import { unreadParts } from './unread-parts.js';
import { findPrivateLinks, findWays, type PrivateLink } from './ways.js';

/** A stack to be asked about. */
export interface AskedStack {
  readonly name: string;
  /** The file that its resources are written in. */
  readonly file: string;
  readonly terraform: TerraformStackJson;
  readonly access?: Pick<AccessFile, 'rules'>;
  /** Parts that its source names as not read or not judged, as clauses; answers do not count them. */
  readonly unread?: readonly string[];
  /** Terraform's address of a resource that has another one here, as in a cloud. @default - the same */
  readonly terraformAddress?: (address: string) => string;
  /** Parts beside its Terraform that can open or close anything, as clauses. */
  readonly unseen?: readonly string[];
}

/** Everything of a stack that questions are answered from. */
export interface Reached {
  readonly name: string;
  readonly doors: readonly Door[];
  /** Its resources, every reference resolved. */
  readonly index: ResourceIndex;
  readonly outputs: TerraformStackJson['outputs'];
  readonly ways: readonly Way[];
  readonly privateLinks: readonly PrivateLink[];
  /** Open to peers that are known by name alone, and what others enforce as it is stated. */
  readonly named: readonly PacketRule[];
  /** Finds the access rules that state packets, for their reasons. */
  readonly stated: RuleLookup<PacketRule>;
  /** Parts that are not read, as clauses. */
  readonly unread: readonly string[];
  /** Those of them that can open or close anything. */
  readonly unseen: readonly string[];
}

/** Reads what a stack lets through, with the rules that decide. */
export function readReached(stack: AskedStack): Reached {
  const { name, file, terraform, access, unread } = stack;
  const resources = resolveStack(withoutDefaults(terraform)).resources.filter(
    ({ body }) => !isNone(body),
  );
  const index = new ResourceIndex(resources);
  const read = readPackets(index, () => true);
  const own = new Set(terraform.resources.map(({ address }) => address));
  const rules = (access?.rules ?? []).map((rule) => packetRule(name, rule, own));
  const stated = new RuleLookup(rules, directionKey);
  const names = new CarrierNames(rules, index, stack.terraformAddress);
  const findOwners = ownersIn(read, names, stated);
  const doors = read.lists.map((list): Door => {
    const [vpc, subnets] = [vpcOf(list, index), subnetsOf(list, index)];
    const [gates, hosts] = [findGates(list, index), findHostNames(list.carrier, index)];
    return setApart(names, {
      ...names.nameOf(list, resourcesOf(list)),
      stack: name,
      file,
      of: findOwners(name, list),
      vpc,
      subnets,
      gates,
      backend: findBackend(list, index, terraform.outputs),
      hosts,
      list: doubtInstances(list, index),
    });
  });
  const ways = findWays(doors);
  const unseen = [...(stack.unseen ?? []), ...(unread === undefined ? unreadParts(terraform) : [])];
  return {
    name,
    stated,
    doors,
    index,
    outputs: terraform.outputs,
    ways,
    privateLinks: findPrivateLinks(index, ways),
    named: [
      ...applyNames(
        name,
        read.flows.filter(({ kind, peer }) => kind !== 'list' && peer.kind !== 'addresses'),
        names,
      ),
      ...rules.filter(({ enforcedElsewhere }) => enforcedElsewhere !== undefined),
    ],
    unseen,
    unread: [
      ...(unread ?? unseen),
      ...read.unread.map(({ where, attribute = '', why }) => `${where} ${attribute}: ${why}`),
      ...(terraform.others === undefined ? [] : [terraform.others]),
    ],
  };
}

/**
 * Finds the subjects whose rules lists carry. What opens none of them, or what is stated for others, is not known
 * to be theirs, whatever names it.
 */
function ownersIn({ flows }: Required<Reading>, names: CarrierNames, all: Reached['stated']) {
  const known = groupBy(
    flows.filter(({ peer }) => peer.kind !== 'unknown'),
    listKey,
  );
  return (stack: string, list: RuleList): Name[] => {
    const { carrier, direction } = list;
    const resources = resourcesOf(list);
    const opened = known.get(listKey({ carrier, direction, resource: resources.join(', ') })) ?? [];
    const stated = names.statedBy(list, resources);
    const open = new RuleLookup(opened.map(bare), cellKey);
    const carries = (rule: Packets) => {
      const found = open.find(cellKey(rule), toRange(rule), rule.services);
      return combine([toRange(rule)], uniteAll(found.map(toRange)), subtract).length === 0;
    };
    const own = stated.filter(({ rules }) => rules.some((rule) => carries(bare(rule))));
    const theirs = toRegion(own.flatMap(({ rules }) => rules.map(bare)));
    const isForeign = [...toRegion(opened.map(bare))].some(([key, cell]) =>
      combine(cell.ranges, theirs.get(key)?.ranges ?? [], subtract).some((range) => {
        const packets = { stack, direction, peer: peerOf(cell, range), services: range.services };
        return all.find(directionKey(packets), range, range.services, 1).length > 0;
      }),
    );
    const owners = isForeign ? [] : namesOf(own);
    // Several have one address, and nothing else is of two.
    const isOne = list.kind === 'firewall' ? owners.length > 0 : owners.length === 1;
    return isOne ? owners : [{ subject: carrier, via: '' }];
  };
}

/** The packets of a rule, whoever's they are. */
function bare({ direction, peer, services }: PacketRule | EffectiveFlow): Packets {
  return { direction, peer, services };
}

function resourcesOf({ rules }: RuleList): string[] {
  return [...new Set(rules.map(({ resource }) => resource))];
}

/** Sets what no endpoint has apart: it is another place, and a group that nothing has may have nobody in it. */
function setApart(names: CarrierNames, door: Door): Door {
  const { via, list } = door;
  if (via !== 'service-endpoint' || typeOf(list.carrier) === ENDPOINT) return door;
  const apart = { ...door, ...names.ownName(list), of: [{ subject: list.carrier, via: '' }] };
  if (typeOf(list.carrier) !== GROUP) return apart;
  const nobody = unclearRule(list.carrier, `Is anything in ${list.carrier}?`, 'drop', 'no');
  return { ...apart, list: { ...list, unclear: [...(list.unclear ?? []), nobody] } };
}

const GROUP = 'volcenginecc_vpc_security_group';

/** The subnets of the interfaces that a list guards. */
function subnetsOf({ carrier, rules }: RuleList, index: ResourceIndex): string[] {
  const words = [...addressesIn(carrier), ...rules.map(({ resource }) => resource)];
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
  return [...new Set(subnets.map(addressOrId))];
}

/** The first resource of a list that says in which VPC it is. */
function vpcOf({ carrier, rules }: RuleList, index: ResourceIndex): string {
  const carriers = [...addressesIn(carrier), ...rules.map(({ resource }) => resource)];
  for (const one of carriers) {
    const body = index.at(one)?.body ?? {};
    const subnet = index.named(body.subnet_id)?.body ?? {};
    const vpc = [body.vpc_id, subnet.vpc_id].find((id) => text(id) !== '');
    if (vpc !== undefined) return addressOrId(vpc);
  }
  return '';
}
