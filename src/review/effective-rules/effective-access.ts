/**
 * Access that Terraform opens, read without access rules, in a closed world.
 *
 * - `types/`, beside this room: how each attribute of each type is read; what groups, firewall,
 *   listeners and private links let through is read by `src/reach/rules`
 * - `arguments.ts`, `blocks.ts`: lifecycle and conditions; providers, state, outputs, modules
 * - `programs/`: the check and the preflight of a deploy, and what makes them run
 * - `links.ts`: what clients and the check are given, and what names resolve to
 * - `meaning.ts`: what expressions refer to; `outside-files.ts`: what neither tree holds
 */

import { TABLE } from '../../cloud/table/index.js';
import type { Attribute } from '../../cloud/table/row.js';
import { remember } from '../../lists/remember.js';
import { whyUnread } from '../../reach/read/providers.js';
import { resolveStack } from '../../reach/read/resolve.js';
import { findMisfit } from '../../reach/read/shape.js';
import {
  fingerprint,
  type TerraformResource,
  type TerraformStackJson,
  type Unread,
} from '../../reach/read/terraform-json.js';
import { isFirewall } from '../../reach/rules/own-sides.js';
import { readLists } from '../../reach/rules/peers.js';
import { listsInDoubt, readPackets } from '../../reach/rules/read-packets.js';
import {
  type EffectiveFlow,
  type Fact,
  isOfFirewall,
  joinReadings,
  type Reading,
  ResourceIndex,
  type RuleList,
  toValues,
  unreadMembers,
  unreadValue,
} from '../../reach/rules/reading.js';
import { decideLists } from '../../reach/rules/rule-list.js';
import { readCarriedGroups } from '../../reach/rules/security-groups.js';
import { findModel, isHarmless } from '../types/index.js';
import { ARGUMENTS, isArgument, readArguments } from './arguments.js';
import { readBlocks } from './blocks.js';
import { readLinkFacts, readRecords } from './links.js';
import { Meanings } from './meaning.js';
import { mergeNetworks } from './networks.js';
import { readToldConnections } from './outputs.js';
import { readOutsideFiles } from './outside-files.js';
import { readPrograms } from './programs/check.js';
import type { StackContext } from './programs/check-steps.js';
import { readWaits } from './programs/preflight.js';

/** Everything of a stack that decides who reaches whom. */
export interface EffectiveAccess {
  /** Its resources, every reference resolved. */
  readonly index: ResourceIndex;
  readonly flows: readonly EffectiveFlow[];
  /** The policies of Cloud Firewall for each own side, or for each part of one. */
  readonly firewalls: readonly RuleList[];
  /** Flows that the firewall denies. */
  readonly denied: readonly EffectiveFlow[];
  readonly facts: readonly Fact[];
  readonly unread: readonly Unread[];
  /** Packets that each list, and each group of an endpoint, opens alone, for whoever uses it elsewhere. */
  readonly alone: readonly EffectiveFlow[];
  /** The lists that a question in doubt decides something of. */
  readonly inDoubt: readonly RuleList[];
  /** Those of groups that count alone. */
  readonly aloneInDoubt: readonly RuleList[];
}

export const readEffectiveAccess = remember((written: TerraformStackJson): EffectiveAccess => {
  const stack = resolveStack(written);
  const index = new ResourceIndex(stack.resources);
  const meanings = new Meanings(stack);
  const packets = readPackets(index, decides);
  const lists = readLists(index);
  const carried = readCarriedGroups(index);
  const meant = withMeaning(meanings);
  const context = { stack, flows: packets.flows };
  const { flows, denied, facts, unread } = joinReadings([
    packets,
    { unread: lists.unread },
    ...stack.resources.map((resource) => readResource(resource, context)),
    readBlocks(context),
    {
      facts: [
        ...readLinkFacts(stack),
        ...readToldConnections(stack),
        ...readRecords(index),
        ...readWaits(stack),
      ],
    },
  ]);
  return {
    index,
    flows,
    firewalls: packets.lists.filter(isFirewall),
    denied,
    facts: facts.map((fact) => {
      const values = fact.values.map(meant);
      return values.every((one, i) => one === fact.values[i]) ? fact : { ...fact, values };
    }),
    unread: [
      ...dedupe([...unread, ...misfitsBeside(unread, stack.resources)]).map((one) =>
        withReferences(one, stack, meanings),
      ),
      ...readOutsideFiles(stack, (value) => meanings.allOf(value)),
    ],
    alone: [...lists.flows, ...(decideLists(carried, true).flows ?? [])],
    inDoubt: listsInDoubt(packets.lists),
    aloneInDoubt: listsInDoubt(carried),
  };
});

/** The same access with policies for other parts of the own sides. */
export function withFirewalls(
  access: EffectiveAccess,
  firewalls: readonly RuleList[],
): EffectiveAccess {
  const { flows = [], denied = [] } = decideLists(firewalls, true);
  const others = (all: readonly EffectiveFlow[]) =>
    all.filter(({ carrier }) => !isOfFirewall(carrier));
  const doubted = access.inDoubt.filter((list) => !isFirewall(list));
  return {
    ...{ ...access, firewalls, inDoubt: [...doubted, ...listsInDoubt(firewalls)] },
    ...{ flows: [...others(access.flows), ...flows] },
    ...{ denied: [...others(access.denied), ...denied] },
  };
}

function decides(resource: TerraformResource, attribute: string): boolean {
  return !isArgument(attribute) && !isHarmless(resource, attribute);
}

/** Arguments that are not among those of its type are unread, and so is all of a type not known. */
function readResource(resource: TerraformResource, context: StackContext): Reading {
  const { address, body, kind, type } = resource;
  const special = kind === 'resource' ? SPECIAL[type] : undefined;
  const own = special?.(resource, context) ?? readModelled(resource);
  return own === undefined
    ? { unread: [unreadValue(address, undefined, whyUnread(type), body)] }
    : joinReadings([readArguments(resource, context.stack), own]);
}

function readModelled(resource: TerraformResource): Reading | undefined {
  const { address, body } = resource;
  const model = findModel(resource);
  if (model === undefined) return undefined;
  const harmless = Object.values(model.harmless).flat();
  const read = [...ARGUMENTS, ...model.access, ...Object.keys(model.facts), ...harmless];
  return {
    facts: Object.entries(model.facts).map(([attribute, { members, ...meaning }]) => {
      const value = body[attribute];
      const all = toValues(members === undefined ? value : members(value));
      const values = meaning.areNetworks ? mergeNetworks(all) : all;
      return { ...meaning, resource: address, id: [attribute], what: attribute, values };
    }),
    unread: unreadMembers(address, body, read, 'the attribute is not known'),
  };
}

/** The attributes that do not have their shape, where no reader has said it already; labels may be expressions. */
function misfitsBeside(
  unread: readonly Unread[],
  resources: readonly TerraformResource[],
): Unread[] {
  const said = new Set(unread.map(({ where, attribute }) => `${where} ${attribute}`));
  return resources.flatMap((resource) => {
    const { address, body } = resource;
    const attributes = attributesOf(resource);
    return Object.entries(body)
      .filter(([name]) => !isArgument(name) && !said.has(`${address} ${name}`))
      .filter(([name, value]) => !isHarmless(resource, name) || isNested(value))
      .flatMap(([name, value]) => {
        const misfit = findMisfit(value, attributes.get(name), name);
        return misfit === undefined ? [] : [unreadValue(address, name, misfit, value)];
      });
  });
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function attributesOf({ kind, type }: TerraformResource): ReadonlyMap<string, Attribute> {
  const row = TABLE.find((one) => one.kind === kind && one.type === type);
  return new Map(Object.entries<Attribute>(row?.attributes ?? {}));
}

const RECORD = 'volcenginecc_privatezone_record';

const RECORD_ATTRIBUTES = 'host type value zid enable line weight weight_enabled'.split(' ');

type SpecialReader = (resource: TerraformResource, context: StackContext) => Reading;

const SPECIAL: Readonly<Record<string, SpecialReader>> = {
  // Remembers what was deployed, for conditions that refuse; opens nothing.
  terraform_data: (resource) => onlyWith(resource, ['input']),
  null_resource: (resource, context) =>
    joinReadings([
      readPrograms(resource, context),
      onlyWith(resource, ['provisioner', 'triggers']),
    ]),
  [RECORD]: (resource) => onlyWith(resource, [...RECORD_ATTRIBUTES, 'remark', 'ttl']),
};

function onlyWith({ address, body }: TerraformResource, names: readonly string[]): Reading {
  const why = 'the argument can make a deploy do something else';
  return { unread: unreadMembers(address, body, [...ARGUMENTS, ...names], why) };
}

function dedupe(all: readonly Unread[]): Unread[] {
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

/** The same text means something else where what it names does. */
function withReferences(one: Unread, { blocks }: TerraformStackJson, meanings: Meanings): Unread {
  const body = meanings.bodyOf(one.where) ?? blocks.get(one.where)?.body;
  const own = one.attribute === undefined ? undefined : body?.[one.attribute];
  const meaning = meanings.of(own ?? body);
  return meaning === undefined
    ? one
    : { ...one, fingerprint: fingerprint([one.fingerprint, meaning]) };
}

function withMeaning(meanings: Meanings): (value: string) => string {
  return (value) => {
    const meaning = meanings.ofUnjudged(value);
    return meaning === undefined ? value : `${value} (SHA-256 ${meaning})`;
  };
}
