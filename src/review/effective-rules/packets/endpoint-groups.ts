import { list, text } from '../../read/json.js';
import type { TerraformResource } from '../../read/terraform-json.js';
import { EVERYTHING } from '../../sets/services.js';
import { type Fact, type Reading, type ResourceIndex, safeguardsOf } from '../reading.js';
import { decideGroups, readDirection } from './security-group.js';

const ENDPOINT = 'volcenginecc_privatelink_vpc_endpoint';
const GROUP = 'volcenginecc_vpc_security_group';

/**
 * The rules of groups as the cloud decides by them: those of all groups of an endpoint together, and
 * those of a group that no endpoint here carries on their own, for whoever is put into it.
 */
export function readSecurityGroups(index: ResourceIndex): Reading[] {
  const carried = new Set<string>();
  const endpoints = index.ofType(ENDPOINT).map((endpoint) => {
    const { own, foreign } = groupsOf(endpoint, index);
    for (const { address } of own) carried.add(address);
    return [readCarrier(endpoint.address, own, index), foreignGroups(endpoint, own, foreign)];
  });
  const alone = index.ofType(GROUP).filter(({ address }) => !carried.has(address));
  return [...endpoints.flat(), ...alone.map((group) => readCarrier(group.address, [group], index))];
}

/** What a group lets through for whoever is put into it; nothing where there is no such group. */
export function readGroupAlone(address: string, index: ResourceIndex): Reading {
  const group = index.at(address);
  return group?.type === GROUP ? readCarrier(address, [group], index) : { flows: [], unread: [] };
}

/** Groups made elsewhere add what nobody here can see; alone they decide everything. */
export function readGroupFacts(index: ResourceIndex): Fact[] {
  return index.ofType(ENDPOINT).map((endpoint) => {
    const { own, foreign } = groupsOf(endpoint, index);
    const isForeign = own.length === 0 && foreign.length > 0;
    return safeguardsOf(endpoint.address)(
      'groups of the endpoint',
      isForeign ? ['made elsewhere alone'] : [],
      'added',
      'no group of this tree decides who may use the endpoint',
    );
  });
}

/** The groups of an endpoint: those of this tree, and whatever else is named. */
function groupsOf({ body }: TerraformResource, index: ResourceIndex) {
  const own: TerraformResource[] = [];
  const foreign: unknown[] = [];
  for (const id of list(body.security_group_ids).filter((one) => one !== '')) {
    const group = index.named(id);
    if (group?.kind === 'resource' && group.type === GROUP) own.push(group);
    else foreign.push(id);
  }
  return { own, foreign };
}

/** A group made elsewhere adds rules that nobody here can see; without any, the cloud chooses one. */
function foreignGroups(
  { address }: TerraformResource,
  own: readonly TerraformResource[],
  foreign: readonly unknown[],
): Reading {
  const isDefault = own.length === 0 && foreign.length === 0;
  const names = isDefault ? ['the default of its network'] : foreign.map(text);
  return {
    flows: names.map((name) => ({
      kind: 'foreign',
      carrier: address,
      direction: 'ingress',
      peer: { kind: 'unknown', name: `whoever the group ${name} lets in` },
      services: EVERYTHING,
      resource: address,
    })),
    unread: [],
  };
}

function readCarrier(
  carrier: string,
  groups: readonly TerraformResource[],
  index: ResourceIndex,
): Reading {
  const read = (['ingress', 'egress'] as const).map((direction) => {
    const rules = groups.map((group) => readDirection(group, direction, index));
    return {
      flows: decideGroups(rules, direction).map((flow) => ({
        ...flow,
        kind: 'packets' as const,
        carrier,
        direction,
        resource: groups.map(({ address }) => address).join(', '),
      })),
      unread: rules.flatMap(({ unread }) => unread),
    };
  });
  return {
    flows: read.flatMap(({ flows }) => flows),
    unread: read.flatMap(({ unread }) => unread),
  };
}
