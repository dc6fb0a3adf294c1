import { soleReference, templatesIn, tokenReference } from '../../terraform/expressions.js';
import { type Part, partsOf } from '../../terraform/template.js';
import { isUnknown, type Json, list, member, object } from './json.js';
import type { TerraformResource, TerraformStackJson } from './terraform-json.js';

/** Locals that name locals that name locals; a circle ends here. */
const MAX_DEPTH = 20;

/**
 * The stack with every expression in its place that follows from the stack alone: locals, defaults of
 * variables, attributes that another resource states. Whatever else there is stays as `${…}`.
 */
export function resolveStack(stack: TerraformStackJson): TerraformStackJson {
  const resolver = new Resolver(stack);
  return {
    ...stack,
    resources: stack.resources.map((resource) => {
      const body = object(resolver.resolve(resource.body));
      return body === resource.body ? resource : { ...resource, body };
    }),
  };
}

/** A stack before its variables have values: a deploy can set each of them to something else than its default. */
export function withoutDefaults({ blocks, ...stack }: TerraformStackJson): TerraformStackJson {
  const kept = [...blocks].filter(([, { kind }]) => kind !== 'variable');
  return { ...stack, blocks: new Map(kept) };
}

class Resolver {
  readonly #locals: Json;
  readonly #resources: ReadonlyMap<string, TerraformResource>;

  constructor(private readonly stack: TerraformStackJson) {
    this.#locals = stack.blocks.get('locals')?.body ?? {};
    this.#resources = new Map(stack.resources.map((resource) => [resource.address, resource]));
  }

  resolve(value: unknown, depth = 0): unknown {
    if (typeof value === 'string') return this.#text(value, depth);
    if (typeof value !== 'object' || value === null) return value;
    // Most of a large stack has no expression, and is not copied.
    if (templatesIn(value).length === 0) return value;
    if (Array.isArray(value)) return value.map((one: unknown) => this.resolve(one, depth));
    let changed: Record<string, unknown> | undefined;
    for (const name of Object.keys(value)) {
      const one = member(value, name);
      const resolved = this.resolve(one, depth);
      if (resolved !== one) changed = { ...(changed ?? value), [name]: resolved };
    }
    return changed ?? value;
  }

  /** An expression alone keeps the type of its value; among text it becomes text. */
  #text(text: string, depth: number): unknown {
    const parts = isUnknown(text) && depth <= MAX_DEPTH ? partsOf(text) : undefined;
    if (parts?.length === 1) return this.#part(parts[0], depth) ?? text;
    const read = parts?.map((part) => {
      const value = trims(part) ? undefined : this.#part(part, depth);
      const isText = ['string', 'number', 'boolean'].includes(typeof value);
      return isText ? String(value) : part.source;
    });
    return read?.join('') ?? text;
  }

  #part(part: Part | undefined, depth: number): unknown {
    const names = tokenReference(part?.tokens ?? [])?.path ?? [];
    const [first = '', second = '', ...rest] = names;
    if (first === 'local') return this.#follow(this.#locals[second], rest, depth);
    if (first === 'var') return this.#follow(this.#variable(second), rest, depth);
    const length = first === 'data' ? 3 : 2;
    const address = names.slice(0, length).join('.');
    const [attribute, ...inner] = names.slice(length);
    const resource = this.#resources.get(address);
    if (attribute === undefined || resource === undefined) return undefined;
    return this.#follow(statedBy(resource, attribute), inner, depth);
  }

  /** Files that set variables win over a default, and are not read. */
  #variable(name: string): unknown {
    const isSet = this.stack.files.some(({ where }) => where.includes('.tfvars'));
    const variable = this.stack.blocks.get(`variable.${name}`)?.body;
    return isSet || variable?.ephemeral === true ? undefined : variable?.default;
  }

  #follow(value: unknown, path: readonly string[], depth: number): unknown {
    const resolved = this.resolve(value, depth + 1);
    return path.reduce<unknown>(memberOf, resolved);
  }
}

/** `${~ x ~}` takes the spaces beside it away. */
function trims({ tokens = [] }: Part): boolean {
  return tokens[0]?.text === '~' || tokens.at(-1)?.text === '~';
}

/** Returns a member; unknown for an object whose keys Terraform evaluates, as each of them can be the one. */
function memberOf(value: unknown, name: string): unknown {
  return Object.keys(object(value)).some(isUnknown) ? undefined : member(value, name);
}

/**
 * Returns an attribute that follows from the configuration, and not from the state or one of
 * several instances.
 */
function statedBy({ kind, body }: TerraformResource, attribute: string): unknown {
  const isIgnored = list(object(body.lifecycle).ignore_changes).some((one) =>
    [attribute, 'all'].includes(soleReference(`\${${String(one)}}`)?.path[0] ?? 'all'),
  );
  if (kind === 'data' || isIgnored || 'count' in body || 'for_each' in body) return undefined;
  return body[attribute];
}
