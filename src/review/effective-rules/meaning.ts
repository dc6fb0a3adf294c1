import { parseJson } from '../../files/json.js';
import { type Json, object } from '../../reach/read/json.js';
import {
  fingerprint,
  type TerraformResource,
  type TerraformStackJson,
} from '../../reach/read/terraform-json.js';
import { type Expressions, readExpressions } from '../../terraform/expressions.js';
import { findModel } from '../types/index.js';
import { isArgument } from './arguments.js';

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

  /** A value, and all that it refers to, from name to name. */
  allOf(value: unknown): unknown[] {
    return [value, ...this.#follow(value, () => true).values()];
  }

  #fingerprint(value: unknown, counts: (meant: Meant) => boolean): string | undefined {
    const found = this.#follow(value, counts);
    return found.size === 0
      ? undefined
      : fingerprint([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #follow(value: unknown, counts: (meant: Meant) => boolean): ReadonlyMap<string, unknown> {
    const found = new Map<string, unknown>();
    const follow = (one: unknown): void => {
      for (const { path } of readWritten(one).references) {
        const [name, meant] = this.#meant(path);
        if (meant === undefined || found.has(name) || !counts(meant)) continue;
        found.set(name, meant.value);
        follow(meant.value);
      }
    };
    follow(value);
    return found;
  }

  /** The value behind a name, with the attribute that is taken of it. */
  #meant(path: readonly string[]): readonly [name: string, meant: Meant | undefined] {
    const [kind, own = ''] = path;
    const name = path.slice(0, 2).join('.');
    const isJudged = false;
    if (kind === 'local') return [name, { value: object(this.#block('locals'))[own], isJudged }];
    if (kind === 'var') return [name, { value: this.#block(`variable.${own}`), isJudged }];
    const address = path.slice(0, kind === 'data' ? 3 : 2).join('.');
    const resource = this.#resources.get(address);
    if (resource === undefined) return [address, undefined];
    const attribute = kind === 'data' ? undefined : path[2];
    return attribute === undefined || isOfMany(resource)
      ? [address, { value: resource.body, isJudged }]
      : [`${address}.${attribute}`, attributeOf(resource, attribute)];
  }

  #block(name: string): Json | undefined {
    return this.stack.blocks.get(name)?.body;
  }
}

function isOfMany({ body }: TerraformResource): boolean {
  return 'count' in body || 'for_each' in body;
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

/** Reads expressions; in a list that is written as JSON, they have its escapes. */
function readWritten(value: unknown): Expressions {
  const read = readExpressions(value);
  if (read.unreadable.length === 0 || typeof value !== 'string') return read;
  const escaped = value.replaceAll(/\\.|["\n\r\t]/gs, (one) =>
    one.length > 1 ? one : JSON.stringify(one).slice(1, -1),
  );
  return readExpressions(parseJson(`"${escaped}"`) ?? value);
}
