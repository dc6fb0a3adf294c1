import { readExpressions, soleReference } from '../../../terraform/expressions.js';
import { isMarked } from '../../../terraform/plan-json.js';
import { typeOf } from '../address.js';
import { list, member, object, text } from '../json.js';
import type { Place, Scope, Scopes } from './scopes.js';

/** An origin of an unknown value: it is this, or made of it. */
export interface Source {
  /** An address with what is taken of it; of what nothing can follow, the words. */
  readonly text: string;
  /** The object; absent where nothing can follow the reference. */
  readonly address?: string;
  /** Absent where the reference is to all of the object. */
  readonly attribute?: string;
}

type Steps = readonly string[];

const NAME = String.raw`[\p{ID_Start}_][\p{ID_Continue}-]*`;
const EACH_STEP = new RegExp(String.raw`${NAME}|\[(?:\d+|"(?:[^"\\]|\\.)*")\]`, 'gsu');

/** The origins of unknown values, through modules, variables and outputs, by the configuration of a plan. */
export class Sources {
  readonly #known = new Map<string, readonly Source[]>();

  constructor(private readonly scopes: Scopes) {}

  /**
   * Lists everything unknown that an expression refers to, each once. An index by `each.key` or `count.index` is
   * followed where the expression is seen, in JSON: of HCL a plan says which names an index uses, and not how.
   *
   * @param path taken of its value
   */
  of(expression: unknown, place: Place, path: Steps = []): readonly Source[] {
    const [shown, rest] = pick(expression, path);
    // Of an attribute among others nothing says which member it is.
    const found = referencesIn(shown, place.key)
      .map(stepsOf)
      .flatMap((steps) => this.#follow(isWhole(steps) ? [...steps, ...rest] : steps, place));
    return [...new Map(found.map((one) => [one.text, one])).values()];
  }

  /** Lists the origins of an attribute of an object, if only the deploy knows it. */
  ofAttribute(address: string, attribute: string): readonly Source[] {
    const { unknown = {} } = this.scopes.instances.get(address) ?? {};
    if (!isMarked(unknown[attribute])) return [];
    return this.#remember(`${address}.${attribute}`, () => {
      const { place, resource } = this.scopes.written(address) ?? {};
      const written = unknown[attribute] === true ? resource?.expressions[attribute] : undefined;
      const sources = written === undefined || !place ? [] : this.of(written, place);
      const own = { text: `${address}.${attribute}`, address, attribute };
      return sources.length > 0 ? sources : [own];
    });
  }

  /** Reads once what is asked for twice; a circle, which Terraform refuses, ends. */
  #remember(key: string, read: () => readonly Source[]): readonly Source[] {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, []);
    const found = read();
    this.#known.set(key, found);
    return found;
  }

  #follow(steps: Steps, place: Place): readonly Source[] {
    const [first = '', second = '', ...rest] = steps;
    switch (first) {
      case 'each':
        return second === 'value' ? this.#eachValue(rest, place) : [];
      case 'count':
      case 'path':
      case 'self':
      case 'terraform':
        return [];
      case 'var':
        return this.#variable(second, rest, place.scope);
      case 'module':
        return this.#module(second, rest, place);
      case 'data':
        return this.#resource(`data.${second}.${rest[0]}`, rest.slice(1), place);
      case 'local':
        return [lost(steps, place)];
      default:
        return this.#resource(`${first}.${second}`, rest, place);
    }
  }

  #variable(name: string, path: Steps, { caller }: Scope): readonly Source[] {
    const written = caller?.call.expressions[name];
    return caller === undefined || written === undefined
      ? []
      : this.of(written, callOf(caller), path);
  }

  /** The value of an instance is a member of what is written, or the thing of the same key. */
  #eachValue(path: Steps, { scope, key, forEach }: Place): readonly Source[] {
    const place = { scope, key: '' };
    const [, name = ''] = /^\["(.*)"\]$/s.exec(key) ?? [];
    const [one, rest] = pick(forEach, [name]);
    if (rest.length === 0) return this.of(one, place, path);
    const all = soleReference(object(forEach).constant_value);
    const steps = all === undefined ? [] : stepsOf(all.text);
    const isIts = this.scopes.keysOf(within(scope, steps.join('.'))).includes(key);
    return this.of(forEach, place, isIts ? [key, ...path] : path);
  }

  #module(name: string, path: Steps, place: Place): readonly Source[] {
    const own = within(place.scope, `module.${name}`);
    const [keys, [output, ...rest]] = this.#instances(own, path);
    return keys.flatMap((key) => {
      const scope = this.scopes.at(own + key);
      const outputs = Object.entries(scope?.module.outputs ?? {});
      return outputs.flatMap(([one, { expression }]) =>
        scope === undefined || (output !== undefined && output !== one)
          ? []
          : this.#remember([own, key, one, ...rest].join(' '), () =>
              this.of(expression, { scope, key: '' }, rest),
            ),
      );
    });
  }

  #resource(name: string, path: Steps, place: Place): readonly Source[] {
    const own = within(place.scope, name);
    const [keys, [attribute, ...rest]] = this.#instances(own, path);
    return keys.flatMap((key): readonly Source[] => {
      const address = own + key;
      const { unknown = {} } = this.scopes.instances.get(address) ?? {};
      if (attribute === undefined) return isMarked(unknown) ? [{ text: address, address }] : [];
      if (rest.length === 0) return this.ofAttribute(address, attribute);
      const text = [address, attribute, ...rest].join('.').replaceAll('.[', '[');
      return isMarked(unknown[attribute]) ? [{ text, address, attribute }] : [];
    });
  }

  /** The instances that a reference is to, and what is taken of them. */
  #instances(own: string, path: Steps): [Steps, Steps] {
    const [first = '', ...rest] = path;
    if (first.startsWith('[')) return [[first], rest];
    const keys = this.scopes.keysOf(own);
    return [keys.length === 0 ? [''] : keys, path];
  }
}

/** Tells whether a reference may be to something that members are taken of, and not to an attribute. */
function isWhole(steps: Steps): boolean {
  const [first = ''] = steps;
  const names = steps.filter((one) => !one.startsWith('[')).length;
  return ['var', 'each', 'module'].includes(first) || names === (first === 'data' ? 3 : 2);
}

function callOf({ scope, call, key }: NonNullable<Scope['caller']>): Place {
  return { scope, key, forEach: call.for_each_expression };
}

function within({ path }: Scope, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** A plan has no expression of it. */
function lost(steps: Steps, { scope }: Place): Source {
  return { text: within(scope, steps.slice(0, 2).join('.')) };
}

function stepsOf(reference: string): Steps {
  const steps = reference.match(EACH_STEP) ?? [];
  return steps[0] === 'resource' ? steps.slice(1) : steps;
}

/** Takes members of what is written as an object; of anything else they stay to be taken. */
function pick(expression: unknown, path: Steps): [shown: unknown, rest: Steps] {
  const [name, ...rest] = path;
  const { constant_value: written, references } = object(expression);
  if (name === undefined || member(written, name) === undefined) return [expression, path];
  return pick({ constant_value: member(written, name), references }, rest);
}

/**
 * Lists what an expression refers to, as far as a plan has it: written in JSON, the references of what is left
 * of it; else all of them, of which those that begin another are left out.
 *
 * @param key takes the place of `each.key` and `count.index` as an index
 */
function referencesIn(expression: unknown, key: string): string[] {
  if (Array.isArray(expression)) return expression.flatMap((one) => referencesIn(one, key));
  const { constant_value: written, references } = object(expression);
  if (references === undefined) {
    return written === undefined && object(expression) === expression
      ? Object.values(object(expression)).flatMap((one) => referencesIn(one, key))
      : [];
  }
  if (written !== undefined) {
    return readExpressions(written, key).references.map((one) => one.text);
  }
  const all = list(references).map(text);
  return all.filter((one, at) => {
    const before = all[at - 1] ?? '';
    return !(before.startsWith(`${one}.`) || before.startsWith(`${one}[`));
  });
}

/** The type of the object that a source is of. */
export function sourceType({ address = '' }: Source): string {
  return typeOf(address);
}
