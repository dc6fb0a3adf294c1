import { type IResolvable, Token } from 'cdktf';
import { isObject } from '../files/json.js';
import { parseAddress } from '../net/address.js';
import { parseCidr } from '../net/cidr.js';
import { type Attribute, type Attributes, measureText, type TextRule } from './table/row.js';

/** The value of an attribute by its shape; that of an object follows from its members. */
interface Plain {
  string: string;
  number: number;
  bool: boolean | IResolvable;
  'set(string)': readonly string[];
  'set(number)': readonly number[];
  'list(string)': readonly string[];
  'map(string)': Readonly<Record<string, string>>;
}

type Value<A extends Attribute> = A extends {
  oneOf: readonly (infer Allowed)[];
  is: 'string' | 'number';
}
  ? Allowed
  : A['is'] extends keyof Plain
    ? Plain[A['is']]
    : A extends { of: infer Members extends Attributes }
      ? A['is'] extends 'object'
        ? Config<Members>
        : readonly Config<Members>[]
      : never;

type Needed = { mode: 'required' } | { mandatory: true } | { written: true };

/** The attributes that code may give to a resource; computed ones are left out. */
export type Config<A extends Attributes> = {
  readonly [K in keyof A & string as A[K] extends Needed ? Camel<K> : never]: Value<A[K]>;
} & {
  readonly [K in keyof A & string as A[K] extends Needed | { mode: 'computed' }
    ? never
    : Camel<K>]?: Value<A[K]> | undefined;
};

/**
 * The attributes that code may read from a resource: strings and numbers as tokens, all others as
 * expressions.
 */
export type Reads<A extends Attributes> = {
  readonly [K in keyof A & string as Camel<K>]: A[K]['is'] extends 'string'
    ? string
    : A[K]['is'] extends 'number'
      ? number
      : IResolvable;
};

/** The name that TypeScript code uses for an attribute: `vpc_name` is `vpcName`. */
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

export function camel(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** A configuration under Terraform's attribute names. */
export function toTerraform(attributes: Attributes, config: object): Record<string, unknown> {
  const named = Object.entries(attributes).map(([name, attribute]) => [
    name,
    nested(attribute, Reflect.get(config, camel(name))),
  ]);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}

function nested({ of, spelledOut }: Attribute, value: unknown): unknown {
  if (of === undefined || typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return toTerraform(of, value);
  const texts = Object.entries(spelledOut ? of : {}).map(([name, { unused }]) => [name, unused]);
  const unused = Object.fromEntries(texts.filter(([, text]) => text !== undefined));
  return value.map((item: object) => ({ ...unused, ...toTerraform(of, item) }));
}

/**
 * Every way in which a configuration breaks the table: unknown and missing attributes, wrong
 * shapes, values outside what the cloud allows. Tokens pass: their value is not known yet.
 *
 * @param path the attribute that holds the configuration; empty for the resource itself
 */
export function configProblems(attributes: Attributes, config: object, path = ''): string[] {
  const known = new Map(
    Object.entries(attributes)
      .filter(([, attribute]) => attribute.mode !== 'computed')
      .map(([name, attribute]) => [camel(name), attribute]),
  );
  const given = Object.entries(config).filter(([, value]) => value !== undefined);
  const unknown = given
    .filter(([name]) => !known.has(name))
    .map(
      ([name]) => `\`${path}${name}\` is not an attribute; known: ${[...known.keys()].join(', ')}`,
    );
  const missing = [...known]
    .filter(([, { mode, mandatory, written }]) => mode === 'required' || mandatory || written)
    .filter(([name]) => !given.some(([key]) => key === name))
    .map(([name]) => `\`${path}${name}\` is required`);
  const wrong = given.flatMap(([name, value]) => {
    const attribute = known.get(name);
    return attribute === undefined ? [] : valueProblems(attribute, value, `${path}${name}`);
  });
  return [...unknown, ...missing, ...wrong];
}

function valueProblems(attribute: Attribute, value: unknown, path: string): string[] {
  if (Token.isUnresolved(value)) return [];
  const rule = brokenRule(attribute, value);
  if (rule !== undefined) return [`\`${path}\` must be ${rule}, got: ${JSON.stringify(value)}`];
  if (Array.isArray(value)) return itemProblems(attribute, value, path);
  return attribute.of && isObject(value) ? configProblems(attribute.of, value, `${path}.`) : [];
}

function itemProblems(attribute: Attribute, items: unknown[], path: string): string[] {
  const { items: [least, most] = [1, items.length] } = attribute;
  if (items.length < least || items.length > most) {
    return [`\`${path}\` must have ${least} to ${most} members, got: ${items.length}`];
  }
  const is = attribute.of ? 'object' : attribute.is === 'set(number)' ? 'number' : 'string';
  return items.flatMap((item, index) =>
    valueProblems({ ...attribute, is }, item, `${path}[${index}]`),
  );
}

/** Names the rule that a value breaks; undefined if it breaks none. */
function brokenRule(attribute: Attribute, value: unknown): string | undefined {
  switch (attribute.is) {
    case 'string':
      return typeof value === 'string' ? brokenTextRule(attribute, value) : 'a string';
    case 'number':
      return typeof value === 'number' ? brokenNumberRule(attribute, value) : 'a number';
    case 'bool':
      return typeof value === 'boolean' ? undefined : 'true or false';
    case 'map(string)':
      return isObject(value) ? undefined : 'a map of strings';
    case 'object':
      return isObject(value) ? undefined : 'an object';
    default:
      if (!Array.isArray(value)) return 'a list';
      return value.length > 0
        ? undefined
        : 'omitted rather than empty: otherwise the provider plans a change forever';
  }
}

function brokenTextRule(attribute: Attribute, value: string): string | undefined {
  const { oneOf, length, text } = attribute;
  if (oneOf && !oneOf.includes(value)) return `one of ${oneOf.join(', ')}`;
  const { size, unit } = measureText(attribute, value);
  if (length && (size < length[0] || size > length[1])) {
    return `${length[0]} to ${length[1]} ${unit} long`;
  }
  return text && TEXT_RULES[text](value);
}

function brokenNumberRule({ oneOf, range }: Attribute, value: number): string | undefined {
  if (oneOf && !oneOf.includes(value)) return `one of ${oneOf.join(', ')}`;
  return range && (value < range[0] || value > range[1]) ? `${range[0]} to ${range[1]}` : undefined;
}

/** Checks by the name of their rule; each answers the rule that a text breaks, or nothing. */
const TEXT_RULES: Readonly<Record<TextRule, (value: string) => string | undefined>> = {
  name: matching(
    /^[A-Za-z0-9\p{Script=Han}][A-Za-z0-9\p{Script=Han}._-]*$/u,
    'a name: letters, digits, Chinese characters, `.`, `_` and `-`, not starting with a sign',
  ),
  description: matching(
    /^[A-Za-z0-9\p{Script=Han},._=\- ，。]*$/u,
    'plain text: letters, digits, Chinese characters, blanks and `, . _ - =`',
  ),
  'book-name': matching(
    /^[A-Za-z0-9\p{Script=Han}_-]+$/u,
    'a name: letters, digits, Chinese characters, `_` and `-`',
  ),
  'tag-key': matching(
    /^(?!sys:|volc:)\S(.*\S)?$/,
    'a tag key: no blanks at its ends, not starting with `sys:` or `volc:`',
  ),
  cidr: parsedBy(parseCidr, 'CIDR'),
  address: parsedBy(parseAddress, 'address'),
};

function matching(pattern: RegExp, rule: string) {
  return (value: string) => (pattern.test(value) ? undefined : rule);
}

function parsedBy(parse: (text: string) => unknown, what: string) {
  return (value: string) => {
    try {
      parse(value);
      return undefined;
    } catch (error) {
      return `a valid ${what}: it ${(error as Error).message}`;
    }
  };
}
