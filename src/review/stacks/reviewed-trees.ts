import { remember } from '../../lists/remember.js';
import { type PacketRule, packetRule } from '../../reach/packet-rule.js';
import { ADDRESS, resourceOf } from '../../reach/read/address.js';
import type { Json } from '../../reach/read/json.js';
import type { SynthesizedStack, SynthesizedTree } from '../../reach/read/read-tree.js';
import { NO_TERRAFORM, type TerraformStackJson } from '../../reach/read/terraform-json.js';
import { applyNames, CarrierNames, carrierKey } from '../../reach/rules/carriers.js';
import { splitOwnSides } from '../../reach/rules/own-sides.js';
import type { EffectiveFlow, RuleList } from '../../reach/rules/reading.js';
import { decideLists } from '../../reach/rules/rule-list.js';
import { type Region, toRegion } from '../../reach/sets/region.js';
import { type Reached, readReached } from '../../reach/ways/doors.js';
import {
  type EffectiveAccess,
  readEffectiveAccess,
  withFirewalls,
} from '../effective-rules/effective-access.js';
import { findMoves } from '../effective-rules/moves.js';
import { compareWithRules, type Disagreement, findUnopened } from './disagreement.js';

/** A stack with what Terraform opens, and what its access rules say of it. */
export interface ReviewedStack extends SynthesizedStack {
  /** The rules of `access.json`. */
  readonly rules: readonly PacketRule[];
  readonly effective: EffectiveAccess;
  readonly names: CarrierNames;
  /** Open packets: through Terraform, and stated ones that Terraform does not open. */
  readonly open: readonly PacketRule[];
  /** Packets that its lists, and the groups of its endpoints, let through on their own. */
  readonly alone: readonly PacketRule[];
  /** Packets that a firewall of the stack denies. */
  readonly denied: readonly PacketRule[];
  readonly disagreement: Disagreement;
}

/** A whole tree, ready to be compared. */
export interface ReviewedTree {
  readonly stacks: readonly ReviewedStack[];
  readonly open: readonly PacketRule[];
  readonly region: Region;
}

/** Reads what stacks let through, with all that is in doubt open. */
export function reviewedTree(tree: SynthesizedTree): ReviewedTree {
  return joinStacks([...tree.values()].map((stack) => reviewedStack(stack)));
}

/** Reads two trees so that they compare: firewalls by the parts of own sides that either of them tells apart. */
export function reviewedTrees(...trees: Trees): readonly [a: ReviewedTree, b: ReviewedTree] {
  const read = (tree: SynthesizedTree, side: 0 | 1) =>
    joinStacks(
      [...tree].map(([name, stack]) => {
        const own = trees.map((one) => firewallsOf(one.get(name)));
        const firewalls = splitOwnSides(own)[side] ?? [];
        if (firewalls.length === 0) return reviewedStack(stack);
        return readStack(stack, withFirewalls(readEffectiveAccess(stack.terraform), firewalls));
      }),
    );
  return [read(trees[0], 0), read(trees[1], 1)];
}

type Trees = readonly [before: SynthesizedTree, after: SynthesizedTree];

function firewallsOf(stack: SynthesizedStack | undefined): readonly RuleList[] {
  return stack === undefined ? [] : readEffectiveAccess(stack.terraform).firewalls;
}

/** The same with all that is in doubt closed; the tree itself where nothing is. */
export function certainTree(tree: ReviewedTree): ReviewedTree {
  const isDoubted = tree.stacks.some(
    ({ effective: { inDoubt, aloneInDoubt } }) => inDoubt.length + aloneInDoubt.length > 0,
  );
  return isDoubted ? joinStacks(tree.stacks.map((stack) => certainStack(stack))) : tree;
}

function joinStacks(stacks: readonly ReviewedStack[]): ReviewedTree {
  const open = stacks.flatMap((stack) => stack.open);
  return { stacks, open, region: toRegion(open) };
}

const reviewedStack = remember((stack: SynthesizedStack) =>
  readStack(stack, readEffectiveAccess(stack.terraform)),
);

function readStack(stack: SynthesizedStack, effective: EffectiveAccess): ReviewedStack {
  const own = new Set(stack.terraform.resources.map(({ address }) => address));
  const rules = (stack.access?.rules ?? []).map((rule) => packetRule(stack.name, rule, own));
  const names = new CarrierNames(rules, effective.index);
  const disagreement = compareWithRules(
    effective,
    rules.filter((rule) => !isElsewhere(rule)),
  );
  return {
    ...stack,
    rules,
    effective,
    names,
    open: openPackets(effective.flows, disagreement.unopenedRules, { ...stack, rules, names }),
    // Users of them elsewhere have no name here.
    alone: applyNames(stack.name, effective.alone),
    denied: applyNames(stack.name, effective.denied, names),
    disagreement,
  };
}

const certainStack = remember((stack: ReviewedStack): ReviewedStack => {
  const { name, rules, effective } = stack;
  const flows = decideAgain(effective.flows, effective.inDoubt);
  const alone = decideAgain(effective.alone, effective.aloneInDoubt);
  const stated = rules.filter((rule) => !isElsewhere(rule));
  return {
    ...stack,
    open: openPackets(flows, findUnopened(flows, stated), stack),
    alone: applyNames(name, alone),
  };
});

function openPackets(
  flows: readonly EffectiveFlow[],
  unopened: readonly PacketRule[],
  { name, names, rules, isFound }: Pick<ReviewedStack, 'name' | 'names' | 'rules' | 'isFound'>,
): PacketRule[] {
  const stated = isFound ? [] : unopened;
  return [...applyNames(name, flows, names), ...rules.filter(isElsewhere), ...stated];
}

/** Reads the ways of a stack once for all that is asked of it. */
export const reachedStack = remember(
  (stack: SynthesizedStack): Reached =>
    readReached({ ...stack, file: `stacks/${stack.name}/cdk.tf.json` }),
);

/** The packets of lists that are in doubt as they pass for certain, and those of all others. */
function decideAgain(flows: readonly EffectiveFlow[], lists: readonly RuleList[]): EffectiveFlow[] {
  const keys = new Set(lists.map(carrierKey));
  const { flows: again = [] } = decideLists(lists, false);
  return [...flows.filter((flow) => !keys.has(carrierKey(flow))), ...again];
}

/** Tells whether something else than Terraform enforces a rule. */
export function isElsewhere({ enforcedElsewhere }: PacketRule): boolean {
  return enforcedElsewhere !== undefined;
}

/** The tree before under the addresses of the tree after: what `moved` renames is no other resource. */
export function followMoves(base: SynthesizedTree, head: SynthesizedTree): SynthesizedTree {
  return new Map(
    [...base].map(([name, stack]) => {
      const after = head.get(name)?.terraform;
      const moves = after === undefined ? [] : findMoves(stack.terraform, after);
      if (moves.length === 0) return [name, stack];
      return [name, moveStack(stack, new Map(moves))];
    }),
  );
}

function moveStack(stack: SynthesizedStack, moves: ReadonlyMap<string, string>): SynthesizedStack {
  const { terraform, access } = stack;
  const rules = access?.rules.map(({ carriers, ...rule }) => ({
    ...rule,
    ...(carriers && { carriers: carriers.map((address) => movedTo(address, moves)) }),
  }));
  return {
    ...stack,
    terraform: rename(terraform, moves),
    ...(access && rules && { access: { ...access, rules } }),
  };
}

const ANYWHERE = new RegExp(ADDRESS, 'gsu');

/** An instance moves by a block of its own, or with its resource. */
function movedTo(address: string, moves: ReadonlyMap<string, string>): string {
  const resource = resourceOf(address);
  const end = moves.get(resource);
  return moves.get(address) ?? (end === undefined ? address : end + address.slice(resource.length));
}

function rename(stack: TerraformStackJson, moves: ReadonlyMap<string, string>): TerraformStackJson {
  const renamed = (json: Json): Json =>
    JSON.parse(JSON.stringify(json), (_, value: unknown) =>
      typeof value === 'string'
        ? value.replaceAll(ANYWHERE, (address) => movedTo(address, moves))
        : value,
    );
  return {
    ...stack,
    outputs: renamed(stack.outputs),
    blocks: new Map(
      // Earlier moves say what they said.
      [...stack.blocks].map(([key, block]) =>
        block.kind === 'moved' ? [key, block] : [key, { ...block, body: renamed(block.body) }],
      ),
    ),
    resources: stack.resources.map((resource) => ({
      ...resource,
      address: movedTo(resource.address, moves),
      body: renamed(resource.body),
    })),
  };
}

/** A stack before and after, by its name. */
export interface StackPair {
  readonly name: string;
  readonly before: ReviewedStack | undefined;
  readonly after: ReviewedStack | undefined;
  /** The base as its file says it; `before` has the addresses that `moved` gives. */
  readonly was: TerraformStackJson;
  readonly now: TerraformStackJson;
}

export function pairStacks(base: SynthesizedTree, a: ReviewedTree, b: ReviewedTree): StackPair[] {
  const named = ({ stacks }: ReviewedTree) => new Map(stacks.map((stack) => [stack.name, stack]));
  const [befores, afters] = [named(a), named(b)];
  return [...new Set([...befores.keys(), ...afters.keys()])].sort().map((name) => {
    const before = befores.get(name);
    const after = afters.get(name);
    const was = base.get(name)?.terraform ?? NO_TERRAFORM;
    return { name, before, after, was, now: after?.terraform ?? NO_TERRAFORM };
  });
}
