import { isUnknown, type Json, object } from '../../reach/read/json.js';
import {
  fingerprint,
  type TerraformResource,
  type TerraformStackJson,
} from '../../reach/read/terraform-json.js';
import { findModel } from '../types/index.js';
import { isArgument } from './arguments.js';

/** A name in an expression, with the attribute that is taken of it. */
const NAME =
  /(?<![\w.-])((?:data\.)?[A-Za-z_][\w-]*\.[A-Za-z_][\w-]*)(?:\.([A-Za-z_][\w-]*))?(?![\w-])/g;

/** The value that a reference leads to. `isJudged`: its change is a row of its own. */
interface Meant {
  readonly value: unknown;
  readonly isJudged: boolean;
}

/**
 * The meanings that a stack gives to the names in its expressions. The same text means something else where that
 * changes: a function of a label, a local or an input is as good as a literal for an attacker.
 */
export class Meanings {
  readonly #resources: ReadonlyMap<string, TerraformResource>;

  constructor(private readonly stack: TerraformStackJson) {
    this.#resources = new Map(stack.resources.map((resource) => [resource.address, resource]));
  }

  bodyOf(address: string): Json | undefined {
    return this.#resources.get(address)?.body;
  }

  /** SHA-256 of all that a value refers to, from name to name; undefined where that is nothing stated. */
  of(value: unknown): string | undefined {
    return this.#fingerprint(value, () => true);
  }

  /** The same without what a review judges where it is written. */
  ofUnjudged(value: unknown): string | undefined {
    return this.#fingerprint(value, ({ isJudged }) => !isJudged);
  }

  #fingerprint(value: unknown, counts: (meant: Meant) => boolean): string | undefined {
    const found = new Map<string, unknown>();
    const follow = (one: unknown): void => {
      for (const [name, meant] of this.#namesIn(one)) {
        if (found.has(name) || !counts(meant)) continue;
        found.set(name, meant.value);
        follow(meant.value);
      }
    };
    follow(value);
    return found.size === 0
      ? undefined
      : fingerprint([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #namesIn(value: unknown): (readonly [name: string, meant: Meant])[] {
    return expressions(value).flatMap((text) =>
      [...text.matchAll(NAME)].flatMap(([, name = '', attribute]) => {
        const meant = this.#meant(name, attribute);
        return meant === undefined ? [] : [[`${name}.${attribute ?? ''}`, meant] as const];
      }),
    );
  }

  #meant(name: string, attribute: string | undefined): Meant | undefined {
    const [kind, own = ''] = name.split('.');
    const isJudged = false;
    if (kind === 'local') return { value: object(this.#block('locals'))[own], isJudged };
    if (kind === 'var') return { value: this.#block(`variable.${own}`), isJudged };
    // `data.a.b` has its name in three parts.
    const address = kind === 'data' ? `${name}.${attribute ?? ''}` : name;
    const resource = this.#resources.get(address);
    if (resource === undefined) return undefined;
    const taken = kind === 'data' ? undefined : attribute;
    return taken === undefined ? { value: resource.body, isJudged } : attributeOf(resource, taken);
  }

  #block(name: string): Json | undefined {
    return this.stack.blocks.get(name)?.body;
  }
}

/** Finds what a resource states of an attribute; what only the cloud knows is judged with the resource. */
function attributeOf(resource: TerraformResource, name: string): Meant | undefined {
  const { type, body } = resource;
  const stated = type === 'terraform_data' && name === 'output' ? 'input' : name;
  if (!Object.hasOwn(body, stated)) return undefined;
  const { access = [], facts = {} } = findModel(resource) ?? {};
  const isJudged = access.includes(stated) || Object.hasOwn(facts, stated) || isArgument(stated);
  return { value: body[stated], isJudged };
}

/** All texts of a value that Terraform evaluates, keys included. */
function expressions(value: unknown): string[] {
  if (typeof value === 'string') return isUnknown(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return [...Object.keys(value).filter(isUnknown), ...Object.values(value).flatMap(expressions)];
}
