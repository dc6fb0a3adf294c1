import { isDeepStrictEqual } from 'node:util';
import type { PlanJson } from '../../terraform/plan-json.js';
import { isArgument } from '../effective-rules/arguments.js';
import { type Json, list, member, object, text } from '../read/json.js';
import type { Block } from '../read/merge-files.js';
import type { TerraformResource, TerraformStackJson } from '../read/terraform-json.js';

type Configuration = PlanJson['configuration'];

/**
 * Where the configuration that was planned is not that of the tree, as a clause without values: a
 * resource, its provider, or what is written in an attribute. A plan says nothing of locals.
 */
export function findDifference(plan: PlanJson, stack: TerraformStackJson): string | undefined {
  const { configuration } = plan;
  const planned = new Map(
    configuration.root_module.resources.map((resource) => [resource.address, resource]),
  );
  return (
    findOtherAddress(configuration, stack) ??
    firstFound(stack.blocks, ([key, block]) => compareBlock(key, block, configuration)) ??
    firstFound(stack.resources, (resource) =>
      compareResource(resource, planned.get(resource.address)),
    ) ??
    findUnplanned(stack, plan)
  );
}

function firstFound<T>(all: Iterable<T>, find: (one: T) => string | undefined): string | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findOtherAddress(
  { root_module: root }: Configuration,
  { resources, blocks, files }: TerraformStackJson,
): string | undefined {
  const planned = new Set([
    ...root.resources.map(({ address }) => address),
    ...Object.keys(root.module_calls).map((name) => `module.${name}`),
  ]);
  const kinds = [...blocks].map(([key, { kind }]) => ({ key, kind }));
  const modules = kinds.filter(({ kind }) => kind === 'module').map(({ key }) => key);
  const addresses = resources.map(({ address }) => address);
  const missing = [...addresses, ...modules].find((address) => !planned.has(address));
  if (missing !== undefined) return `${missing} is missing`;
  // Terraform's own language, which a review does not read, and checks bring resources of their own.
  const isReadWhole =
    kinds.every(({ kind }) => kind !== 'check') &&
    files.every(({ where }) => !/\.(?:tf|tofu)(?:\.json)?$/.test(where));
  const written = new Set([...addresses, ...blocks.keys()]);
  const added = [...planned].find((address) => !written.has(address));
  return isReadWhole && added !== undefined ? `${added} is new` : undefined;
}

/** Arguments of Terraform's own that a plan does not list among the attributes either. */
const NO_ATTRIBUTES = new Set(['count', 'for_each', 'provisioner', 'connection', 'dynamic']);

function compareResource(
  { address, type, body }: TerraformResource,
  planned: Configuration['root_module']['resources'][number] | undefined,
): string | undefined {
  if (planned === undefined) return undefined;
  const [implied = ''] = type.split('_', 1);
  const provider = text(body.provider ?? implied).replace(/^\$\{(.*)\}$/, '$1');
  if (planned.provider_config_key !== provider) return `${address} has another provider`;
  const attributes = Object.entries(body).filter(
    ([name]) => !isArgument(name) && !NO_ATTRIBUTES.has(name),
  );
  const other = findOtherAttribute(Object.fromEntries(attributes), planned.expressions);
  return other === undefined ? undefined : `${other} of ${address} is another`;
}

function compareBlock(
  key: string,
  { kind, labels: [name = ''], body }: Block,
  { provider_config: providers, root_module: root }: Configuration,
): string | undefined {
  switch (kind) {
    case 'variable': {
      const planned = new Map(Object.entries(root.variables)).get(name);
      return isSame(body.default, planned?.default)
        ? undefined
        : `the default of ${key} is another`;
    }
    case 'provider': {
      const { alias, version: _, '//': __, ...settings } = body;
      const full = alias === undefined ? name : `${name}.${text(alias)}`;
      const planned = new Map(Object.entries(providers)).get(full);
      const other = planned && findOtherAttribute(settings, planned.expressions);
      return other === undefined ? undefined : `${other} of ${key} is another`;
    }
    case 'terraform':
      return firstFound(list(body.required_providers), (required) =>
        firstFound(Object.entries(object(required)), ([local, settings]) => {
          const planned = new Map(Object.entries(providers)).get(local)?.full_name;
          const isSameProgram =
            planned === undefined || isFrom(text(object(settings).source), planned);
          return isSameProgram ? undefined : `another provider is called ${local}`;
        }),
      );
    default:
      return undefined;
  }
}

/** `null` is short for `hashicorp/null`, and the registry of whoever planned comes before it. */
function isFrom(source: string, full: string): boolean {
  const parts = source.split('/');
  const whole = parts.length === 1 ? ['hashicorp', ...parts] : parts;
  return full.split('/').slice(-whole.length).join('/') === whole.join('/');
}

/** A plan with targets, of a refresh or of a destroy leaves resources of the tree out. */
function findUnplanned(
  { resources }: TerraformStackJson,
  { resource_changes: changes }: PlanJson,
): string | undefined {
  const planned = new Set(
    changes.flatMap(({ address, deposed, change: { after } }) =>
      deposed === undefined && after !== undefined && after !== null ? [address] : [],
    ),
  );
  const one = resources.find(
    ({ address, kind, body }) =>
      kind === 'resource' && !('count' in body) && !('for_each' in body) && !planned.has(address),
  );
  return one === undefined ? undefined : `${one.address} is not planned`;
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
