import type { RawRule } from '../access/access-file.js';
import type { AccessModel } from '../access/access-model.js';
import { usageError } from '../codes/connectivity-error.js';
import type { TreeIntents } from '../intents/intents-file.js';
import { shared } from '../package/shared.js';
import type { PacketRule } from '../reach/packet-rule.js';
import { type OpenPart, openParts } from '../reach/questions/table.js';
import { readTerraform } from '../reach/read/terraform-json.js';
import type { RuleLookup } from '../reach/sets/lookup.js';
import { directionKey } from '../reach/sets/region.js';
import { EVERYTHING, sameSpans, union } from '../reach/sets/services.js';
import { type AskedStack, readReached } from '../reach/ways/doors.js';

/** Everything that a stack opens. */
export interface OpenAccess {
  readonly parts: readonly OpenPart[];
  /** The subjects that the stack or its access rules have. */
  readonly subjects: readonly string[];
  /** Parts of the stack that could open anything, as clauses. */
  readonly unread: readonly string[];
  /** Those of them that could close anything as well. */
  readonly unseen: readonly string[];
}

/** A stack of cdktf or of its continuation, as far as it is needed here. */
export interface Stack {
  readonly prepareStack?: () => void;
  readonly toTerraform?: () => unknown;
}

/**
 * Reads what the synthesized stack opens, overrides included, under the subjects that its access rules
 * have.
 *
 * @throws TypeError where no construct of this package is in the stack
 * @throws ConnectivityError `usage.invalid` where a construct has reported mistakes
 */
export function readOpenAccess(stack: Stack): OpenAccess {
  const reached = readReached(askedStack(stack));
  const named = reached.named.map((rule) => withStatedPorts(rule, reached.stated));
  const { unread, unseen, ways, stated } = reached;
  const all = [...ways, ...named, ...stated.all()].map(({ subject }) => subject);
  const subjects = [...new Set(all)].sort();
  return { parts: openParts({ ...reached, named }), subjects, unread, unseen };
}

/**
 * Reads a stack of a program as one of a synthesized tree.
 *
 * @throws TypeError where no construct of this package is in the stack
 * @throws ConnectivityError `usage.invalid` where a construct has reported mistakes
 */
export function askedStack(stack: Stack): AskedStack & { readonly environment?: string } {
  const access = shared('access-of-stacks', () => new WeakMap<object, OwnAccess>()).get(stack);
  if (access === undefined || stack.toTerraform === undefined) {
    throw new TypeError('the stack must hold constructs of cdktf-secure-connectivity, got: none');
  }
  refuseMistakes(stack);
  const { stack: name, rules } = access.model();
  const { environment } = access.intents ?? {};
  return {
    name,
    file: `stacks/${name}/cdk.tf.json`,
    terraform: readTerraform(synthesize(stack)),
    access: { rules: rules.map(toRaw) },
    unseen: lateChanges(stack),
    ...(environment !== undefined && { environment }),
  };
}

/** The access rules of a stack, as far as they are needed here. */
interface OwnAccess {
  readonly intents?: TreeIntents | undefined;
  model(): AccessModel;
}

function synthesize(stack: Stack): unknown {
  stack.prepareStack?.();
  changeBeforeSynthesis(stack);
  // Only what is written as JSON reaches Terraform.
  return JSON.parse(JSON.stringify(stack.toTerraform?.() ?? {}));
}

/** Mistakes are reported at synth: until then the constructs that have some make nothing. */
function refuseMistakes(stack: object): void {
  const all = shared(
    'mistakes-of-stacks',
    () => new WeakMap<object, readonly { path: string; problems: readonly string[] }[]>(),
  ).get(stack);
  if (all === undefined) return;
  const texts = all.map(({ path, problems }) => `${path}: ${problems.join('; ')}`);
  throw usageError(texts.join('\n'));
}

function toRaw({ exception, ...rule }: AccessModel['rules'][number]): RawRule {
  const peer = { ...rule.peer };
  return { ...rule, peer, ...(exception && { exception: { ...exception } }) };
}

/** Adds the stated ports to a private link if the stack has no load balancer. */
function withStatedPorts(rule: PacketRule, stated: RuleLookup<PacketRule>): PacketRule {
  const isLink = rule.peer.kind === 'account' || rule.peer.kind === 'endpoint';
  if (!isLink || !sameSpans(rule.services, EVERYTHING)) return rule;
  const range = { first: 0n, last: 0n };
  const found = stated.find(directionKey(rule), range, EVERYTHING);
  const services = found.map((one) => one.services).reduce(union, []);
  return services.length === 0 ? rule : { ...rule, services };
}

/** A construct, as far as it is needed here. */
interface Scope {
  readonly node: {
    readonly path: string;
    readonly children: readonly Scope[];
    readonly scopes: readonly object[];
    validate(): unknown;
  };
}

interface Aspect {
  visit(scope: object): void;
}

/**
 * Lets everything that may change a stack before it is written do so, in the order of a synthesis: the
 * aspects of the stack and of the app that it is in, then the validations. It does not load cdktf, which
 * keeps aspects under a symbol of its own.
 */
function changeBeforeSynthesis(stack: object): void {
  if (!isScope(stack)) return;
  visit(stack, stack.node.scopes.slice(0, -1).flatMap(aspectsOf));
  // Mistakes are refused elsewhere, and other problems do not bear on what is open.
  for (const { node } of allOf(stack)) node.validate();
}

/** Lists constructs with code that runs while the stack is written, and can change it after all else, as clauses. */
function lateChanges(stack: object): string[] {
  return (isScope(stack) ? allOf(stack) : [])
    .filter((scope) => Reflect.has(scope, Symbol.for('cdktf/customSynthesis')) && !isAsset(scope))
    .map(({ node }) => `${node.path}: it runs code while the stack is synthesized`);
}

/** A file or folder that cdktf copies beside the stack, and nothing else. */
function isAsset(scope: object): boolean {
  return scope.constructor.name === 'TerraformAsset' && 'assetHash' in scope;
}

function allOf(scope: Scope): Scope[] {
  return [scope, ...scope.node.children.flatMap(allOf)];
}

function visit(scope: Scope, inherited: readonly Aspect[]): void {
  const all = [...inherited, ...aspectsOf(scope)];
  for (const aspect of all) aspect.visit(scope);
  for (const child of scope.node.children) visit(child, all);
}

function aspectsOf(scope: object): readonly Aspect[] {
  const own = Object.getOwnPropertySymbols(scope).find(({ description = '' }) =>
    /^cdkt[fn]-aspects$/.test(description),
  );
  const held: unknown = own && Reflect.get(scope, own);
  const all: unknown = typeof held === 'object' && held !== null && Reflect.get(held, 'all');
  return Array.isArray(all) ? all.filter(isAspect) : [];
}

function isScope(value: object): value is Scope {
  return 'node' in value;
}

function isAspect(value: unknown): value is Aspect {
  return typeof value === 'object' && value !== null && 'visit' in value;
}
