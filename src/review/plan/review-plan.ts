/**
 * The additions of a plan to a review: what a deploy does to each resource. `planned-work.ts` counts it beside the
 * rows of a report.
 */

import { isDeepStrictEqual } from 'node:util';
import { type Json, list, member, object, text } from '../../reach/read/json.js';
import type { Block } from '../../reach/read/merge-files.js';
import { notThePlan, parsePlan } from '../../reach/read/plan/parse-plan.js';
import { requiredProviders } from '../../reach/read/providers.js';
import type { SynthesizedStack } from '../../reach/read/read-tree.js';
import type { TerraformResource, TerraformStackJson } from '../../reach/read/terraform-json.js';
import { bareReference, soleReference } from '../../terraform/expressions.js';
import type { PlanJson } from '../../terraform/plan-json.js';
import { isArgument } from '../effective-rules/arguments.js';
import { type ReviewPlan, readWork } from './planned-work.js';

/**
 * Reads what `terraform show -json PLAN` prints. No error repeats a value of it.
 *
 * @param stack the one of the head that was planned
 * @param name what the text is called in an error: the path of its file
 * @throws ConnectivityError `usage.invalid` where it is something else, or of another tree
 */
export function readPlan(text: string, stack: SynthesizedStack, name: string): ReviewPlan {
  const plan = parsePlan(text, name);
  const [difference] = differences(plan, stack.terraform);
  if (difference !== undefined) {
    throw notThePlan(
      `be a plan of the stack ${JSON.stringify(stack.name)} of \`--head\``,
      `${name}, in which ${difference}`,
      'plan the whole of that tree again',
    );
  }
  return readWork(plan);
}

/** Lists what was planned otherwise than the tree has it, as clauses without values. A plan says nothing of locals. */
function differences({ configuration, resource_changes }: PlanJson, stack: TerraformStackJson) {
  const { resources, blocks, files } = stack;
  const { root_module: root } = configuration;
  const planned = new Map(root.resources.map((one) => [one.address, one]));
  const calls = Object.keys(root.module_calls).map((name) => `module.${name}`);
  const configured = new Set([...planned.keys(), ...calls]);
  const modules = [...blocks].flatMap(([key, { kind }]) => (kind === 'module' ? key : []));
  const missing = [...resources.map(({ address }) => address), ...modules].filter(
    (address) => !configured.has(address),
  );
  // Terraform's own language, which a review does not read, and checks bring resources of their own.
  const isReadWhole =
    [...blocks.values()].every(({ kind }) => kind !== 'check') &&
    files.every(({ where }) => !/\.(?:tf|tofu)(?:\.json)?$/.test(where));
  const written = new Set([...resources.map(({ address }) => address), ...blocks.keys()]);
  const added = isReadWhole ? [...configured].filter((address) => !written.has(address)) : [];
  // A plan with targets, of a refresh or of a destroy leaves resources of the tree out.
  const done = new Set(
    resource_changes.flatMap(({ address, deposed, change: { after } }) =>
      deposed === undefined && after !== undefined && after !== null ? [address] : [],
    ),
  );
  const isWhole = ({ kind, body }: TerraformResource) =>
    kind === 'resource' && !('count' in body) && !('for_each' in body);
  const left = resources.filter((one) => isWhole(one) && !done.has(one.address));
  return [
    ...missing.map((address) => `${address} is missing`),
    ...added.map((address) => `${address} is new`),
    ...[...blocks].flatMap(([key, block]) => blockDifferences(key, block, configuration)),
    ...resources.flatMap((one) => resourceDifferences(one, planned.get(one.address))),
    ...left.map(({ address }) => `${address} is not planned`),
  ];
}

/** Arguments of Terraform's own that a plan does not list among the attributes either. */
const NO_ATTRIBUTES = new Set(['count', 'for_each', 'provisioner', 'connection', 'dynamic']);

function resourceDifferences(
  { address, type, body }: TerraformResource,
  planned: PlanJson['configuration']['root_module']['resources'][number] | undefined,
): string[] {
  if (planned === undefined) return [];
  const named = text(body.provider ?? type.split('_', 1)[0]);
  const provider = (soleReference(named) ?? bareReference(named))?.text;
  const attributes = Object.entries(body).filter(
    ([name]) => !isArgument(name) && !NO_ATTRIBUTES.has(name),
  );
  return [
    ...(planned.provider_config_key === provider ? [] : [`${address} has another provider`]),
    ...othersOf(address, Object.fromEntries(attributes), planned.expressions),
  ];
}

function blockDifferences(
  key: string,
  { kind, labels: [name = ''], body }: Block,
  { provider_config: providers, root_module: root }: PlanJson['configuration'],
): string[] {
  const configured = new Map(Object.entries(providers));
  if (kind === 'variable') {
    const planned = new Map(Object.entries(root.variables)).get(name);
    return isSame(body.default, planned?.default) ? [] : [`the default of ${key} is another`];
  }
  if (kind === 'provider') {
    const { alias, version: _, '//': __, ...settings } = body;
    const planned = configured.get(alias === undefined ? name : `${name}.${text(alias)}`);
    return planned === undefined ? [] : othersOf(key, settings, planned.expressions);
  }
  const required = kind === 'terraform' ? [...requiredProviders(body)] : [];
  return required.flatMap(([local, { source }]) => {
    // The registry of whoever planned comes before it.
    const planned = configured.get(local)?.full_name?.split('/');
    const isFrom = planned?.slice(-source.split('/').length).join('/') === source;
    return planned === undefined || isFrom ? [] : [`another provider is called ${local}`];
  });
}

/**
 * Names the first attribute that a plan shows as written otherwise. It shows JSON word for word, expressions
 * included; of Terraform's own language only what an expression refers to, which is not compared.
 *
 * @param expressions as a plan's configuration has them
 */
function othersOf(of: string, written: Json, expressions?: Json): string[] {
  const other = findOther(written, expressions);
  return other === undefined ? [] : [`${other} of ${of} is another`];
}

function findOther(written: Json, expressions: Json = {}): string | undefined {
  const names = new Set([...Object.keys(written), ...Object.keys(expressions)]);
  return [...names].find((name) => !isWrittenAs(member(written, name), member(expressions, name)));
}

function isWrittenAs(written: unknown, expression: unknown): boolean {
  if (Array.isArray(expression)) {
    const blocks = list(written);
    return (
      blocks.length === expression.length &&
      blocks.every((block, i) => isWrittenAs(block, expression[i]))
    );
  }
  if (expression === undefined) return isSame(written, undefined);
  const shown = object(expression);
  if (Object.hasOwn(shown, 'constant_value')) return isSame(written, shown.constant_value);
  const isOpaque = Object.hasOwn(shown, 'references') || Object.keys(shown).length === 0;
  // A block can be written as an object, or as a list of one.
  return isOpaque || findOther(object(list(written)[0]), shown) === undefined;
}

/** An attribute that is null is not given. */
function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a ?? undefined, b ?? undefined);
}
