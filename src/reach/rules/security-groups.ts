import { isUnknown, list, text } from '../read/json.js';
import { alternatives, type TerraformResource } from '../read/terraform-json.js';
import { EVERYTHING } from '../sets/services.js';
import { NO_GROUP, readDirection } from './group-rules.js';
import { unclearRules } from './peers.js';
import {
  type EffectiveFlow,
  joinReadings,
  makeFacts,
  type Reading,
  type ResourceIndex,
  type RuleList,
  safeguardOf,
  unreadValue,
} from './reading.js';

/** Carriers of groups: an endpoint, and a network interface of the cloud. */
const CARRIERS = ['volcenginecc_privatelink_vpc_endpoint', 'volcenginecc_vpc_eni'];
const GROUP = 'volcenginecc_vpc_security_group';

/**
 * The rules of groups as the cloud decides by them: those of all groups of an endpoint together, and
 * those of a group that no endpoint here carries on their own, for whoever is put into it.
 */
export function readSecurityGroups(index: ResourceIndex): Reading[] {
  const endpoints = carriersOf(index).flatMap((endpoint) => {
    const { own, foreign, perhaps } = findGroups(endpoint, index);
    const elsewhere =
      perhaps.length > 0 && foreign.length === 0 ? [] : namesElsewhere(own, foreign);
    return [
      readCarrier(endpoint.address, own, index, elsewhere, perhaps),
      foreignGroups(endpoint, elsewhere, own, foreign),
      unclearGroups(endpoint, perhaps),
    ];
  });
  const carried = new Set(carriedGroups(index));
  const alone = index.ofType(GROUP).filter((group) => !carried.has(group));
  return [...endpoints, ...alone.map((group) => readCarrier(group.address, [group], index))];
}

/** Reads the rules of each group of an endpoint alone: for whoever else is in it. */
export function readCarriedGroups(index: ResourceIndex): RuleList[] {
  const groups = [...new Set(carriedGroups(index))];
  return groups.flatMap((group) => readCarrier(group.address, [group], index).lists);
}

function carriersOf(index: ResourceIndex): TerraformResource[] {
  return CARRIERS.flatMap((type) => index.ofType(type));
}

function carriedGroups(index: ResourceIndex): TerraformResource[] {
  return carriersOf(index).flatMap((endpoint) => {
    const { own, perhaps } = findGroups(endpoint, index);
    return [...own, ...perhaps];
  });
}

const GROUPS = {
  groups: [
    'groups of the endpoint',
    'added',
    'no group of this tree decides who may use the endpoint',
  ],
} as const;

/** The groups of an endpoint: those of this tree, those that may be, and whatever else is named. */
function findGroups({ body }: TerraformResource, index: ResourceIndex) {
  const own: TerraformResource[] = [];
  const foreign: unknown[] = [];
  const perhaps = new Set<TerraformResource>();
  for (const id of list(body.security_group_ids).filter((one) => one !== '')) {
    const group = index.named(id);
    const several = alternatives(id).flatMap((address) => index.at(address) ?? []);
    if (group?.kind === 'resource' && group.type === GROUP) own.push(group);
    else if (several.length === 0) foreign.push(id);
    for (const one of several) perhaps.add(one);
  }
  return { own, foreign, perhaps: [...perhaps] };
}

function unclearGroups(
  { address }: TerraformResource,
  perhaps: readonly TerraformResource[],
): Reading {
  if (perhaps.length === 0) return {};
  const names = perhaps.map((one) => one.address).join(' or ');
  const why = 'in which of several groups it is is not known before the deploy';
  return {
    unread: [unreadValue(address, 'security_group_ids', why, names)],
    flows: [foreignFlow(address, names)],
  };
}

const DEFAULT = 'the default of its network';

/**
 * A group made elsewhere adds rules that nobody here can see, and alone it decides everything; without
 * any, the cloud chooses one.
 */
function namesElsewhere(own: readonly unknown[], foreign: readonly unknown[]): string[] {
  return own.length === 0 && foreign.length === 0 ? [DEFAULT] : foreign.map(text);
}

function foreignGroups(
  { address }: TerraformResource,
  names: readonly string[],
  own: readonly TerraformResource[],
  foreign: readonly unknown[],
): Reading {
  const isForeign = own.length === 0 && !names.includes(DEFAULT);
  return {
    facts: makeFacts(safeguardOf(address), GROUPS, {
      groups: isForeign ? ['made elsewhere alone'] : [],
    }),
    unread: foreign
      .filter(isUnknown)
      .map((id) => unreadValue(address, 'security_group_ids', NO_GROUP, id)),
    flows: names.map((name) => foreignFlow(address, name)),
  };
}

function foreignFlow(address: string, name: string): EffectiveFlow {
  return {
    kind: 'foreign',
    carrier: address,
    direction: 'ingress',
    peer: { kind: 'unknown', name: `whoever is allowed by the group ${name}` },
    services: EVERYTHING,
    resource: address,
  };
}

function readCarrier(
  carrier: string,
  groups: readonly TerraformResource[],
  index: ResourceIndex,
  elsewhere: readonly string[] = [],
  perhaps: readonly TerraformResource[] = [],
): Required<Reading> {
  return joinReadings(
    (['ingress', 'egress'] as const).map((direction): Reading => {
      const others = perhaps.map((group) => ({
        doubt: `Is ${carrier} in ${group.address}?`,
        ...readDirection(group, direction, index),
      }));
      const read = groups.map((group) => readDirection(group, direction, index));
      const rules = read.flatMap((one) => one.rules);
      return {
        lists: [
          {
            kind: 'group',
            carrier,
            direction,
            rules,
            unclear: [
              ...read.flatMap((one) => one.unclear),
              ...others.flatMap(({ rules: all, unclear, doubt }) => [
                ...all.map((rule) => ({ ...rule, doubt })),
                ...unclear,
              ]),
              ...elsewhere.flatMap((name) =>
                unclearRules(carrier, `What do the rules of the group ${name} say?`),
              ),
            ],
          },
        ],
        unread: [...read, ...others].flatMap(({ unread }) => unread),
      };
    }),
  );
}
