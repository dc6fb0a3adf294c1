import { isDeepStrictEqual } from 'node:util';
import { type Json, list, member, object, text } from '../../reach/read/json.js';
import type { Block } from '../../reach/read/merge-files.js';
import type { TerraformResource, TerraformStackJson } from '../../reach/read/terraform-json.js';
import { bareReference, soleReference } from '../../terraform/expressions.js';
import type { PlanJson } from '../../terraform/plan-json.js';
import { isArgument } from '../effective-rules/arguments.js';

type Configuration = PlanJson['configuration'];

/**
 * Finds a difference between the planned configuration and that of the tree, as a clause without values: a
 * resource, its provider, or what is written in an attribute. A plan says nothing of locals.
 */
export function findDifference(plan: PlanJson, stack: TerraformStackJson): string | undefined {
  const [first] = differences(plan, stack);
  return first;
}

function* differences(plan: PlanJson, stack: TerraformStackJson): Generator<string> {
  const { configuration } = plan;
  const planned = new Map(
    configuration.root_module.resources.map((resource) => [resource.address, resource]),
  );
  yield* compareAddresses(configuration, stack);
  for (const [key, block] of stack.blocks) yield* compareBlock(key, block, configuration);
  for (const resource of stack.resources) {
    yield* compareResource(resource, planned.get(resource.address));
  }
  yield* findUnplanned(stack, plan);
}

function* compareAddresses(
  { root_module: root }: Configuration,
  { resources, blocks, files }: TerraformStackJson,
): Generator<string> {
  const planned = new Set([
    ...root.resources.map(({ address }) => address),
    ...Object.keys(root.module_calls).map((name) => `module.${name}`),
  ]);
  const kinds = [...blocks].map(([key, { kind }]) => ({ key, kind }));
  const modules = kinds.filter(({ kind }) => kind === 'module').map(({ key }) => key);
  const addresses = resources.map(({ address }) => address);
  const missing = [...addresses, ...modules].find((address) => !planned.has(address));
  if (missing !== undefined) yield `${missing} is missing`;
  // Terraform's own language, which a review does not read, and checks bring resources of their own.
  const isReadWhole =
    kinds.every(({ kind }) => kind !== 'check') &&
    files.every(({ where }) => !/\.(?:tf|tofu)(?:\.json)?$/.test(where));
  const written = new Set([...addresses, ...blocks.keys()]);
  const added = [...planned].find((address) => !written.has(address));
  if (isReadWhole && added !== undefined) yield `${added} is new`;
}

/** Arguments of Terraform's own that a plan does not list among the attributes either. */
const NO_ATTRIBUTES = new Set(['count', 'for_each', 'provisioner', 'connection', 'dynamic']);

function* compareResource(
  { address, type, body }: TerraformResource,
  planned: Configuration['root_module']['resources'][number] | undefined,
): Generator<string> {
  if (planned === undefined) return;
  const [implied = ''] = type.split('_', 1);
  const named = text(body.provider ?? implied);
  const provider = (soleReference(named) ?? bareReference(named))?.text;
  if (planned.provider_config_key !== provider) yield `${address} has another provider`;
  const attributes = Object.entries(body).filter(
    ([name]) => !isArgument(name) && !NO_ATTRIBUTES.has(name),
  );
  const other = findOtherAttribute(Object.fromEntries(attributes), planned.expressions);
  if (other !== undefined) yield `${other} of ${address} is another`;
}

function* compareBlock(
  key: string,
  { kind, labels: [name = ''], body }: Block,
  { provider_config: providers, root_module: root }: Configuration,
): Generator<string> {
  if (kind === 'variable') {
    const planned = new Map(Object.entries(root.variables)).get(name);
    if (!isSame(body.default, planned?.default)) yield `the default of ${key} is another`;
  }
  const configured = new Map(Object.entries(providers));
  if (kind === 'provider') {
    const { alias, version: _, '//': __, ...settings } = body;
    const planned = configured.get(alias === undefined ? name : `${name}.${text(alias)}`);
    const other = planned && findOtherAttribute(settings, planned.expressions);
    if (other !== undefined) yield `${other} of ${key} is another`;
  }
  if (kind !== 'terraform') return;
  for (const required of list(body.required_providers)) {
    for (const [local, settings] of Object.entries(object(required))) {
      const planned = configured.get(local)?.full_name;
      if (planned !== undefined && !isFrom(text(object(settings).source), planned)) {
        yield `another provider is called ${local}`;
      }
    }
  }
}

/** `null` is short for `hashicorp/null`, and the registry of whoever planned comes before it. */
function isFrom(source: string, full: string): boolean {
  const parts = source.split('/');
  const whole = parts.length === 1 ? ['hashicorp', ...parts] : parts;
  return full.split('/').slice(-whole.length).join('/') === whole.join('/');
}

/** A plan with targets, of a refresh or of a destroy leaves resources of the tree out. */
function* findUnplanned(
  { resources }: TerraformStackJson,
  { resource_changes: changes }: PlanJson,
): Generator<string> {
  const planned = new Set(
    changes.flatMap(({ address, deposed, change: { after } }) =>
      deposed === undefined && after !== undefined && after !== null ? [address] : [],
    ),
  );
  const one = resources.find(
    ({ address, kind, body }) =>
      kind === 'resource' && !('count' in body) && !('for_each' in body) && !planned.has(address),
  );
  if (one !== undefined) yield `${one.address} is not planned`;
}

/**
 * The first attribute that a plan shows as written otherwise. It shows JSON word for word, expressions
 * included; of Terraform's own language only what an expression refers to, which is not compared.
 *
 * @param expressions as a plan's configuration has them
 */
function findOtherAttribute(written: Json, expressions: Json = {}): string | undefined {
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
  return isOpaque || findOtherAttribute(object(list(written)[0]), shown) === undefined;
}

/** An attribute that is null is not given. */
function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a ?? undefined, b ?? undefined);
}
