import { Token } from 'cdktf';
import { parseAddress } from '../net/address.js';
import { parseCidr } from '../net/cidr.js';
import { camel } from './config.js';
import { type Attribute, type Attributes, measureText, type TextRule } from './table/row.js';

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
    .filter(([name, { mode, mandatory, written }]) =>
      mode === 'required' || mandatory || written ? !given.some(([key]) => key === name) : false,
    )
    .map(([name]) => `\`${path}${name}\` is required`);
  const wrong = given.flatMap(([name, value]) => {
    const attribute = known.get(name);
    return attribute === undefined ? [] : valueProblems(attribute, value, `${path}${name}`);
  });
  return [...unknown, ...missing, ...wrong];
}

function valueProblems(attribute: Attribute, value: unknown, path: string): string[] {
  if (Token.isUnresolved(value)) return [];
  const say = (rule: string) => [`\`${path}\` must be ${rule}, got: ${JSON.stringify(value)}`];
  switch (attribute.is) {
    case 'string':
      return typeof value === 'string' ? textProblems(attribute, value, say) : say('a string');
    case 'number':
      return typeof value === 'number' ? numberProblems(attribute, value, say) : say('a number');
    case 'bool':
      return typeof value === 'boolean' ? [] : say('true or false');
    case 'map(string)':
      return isRecord(value) ? [] : say('a map of strings');
    case 'object':
      return isRecord(value)
        ? configProblems(attribute.of ?? {}, value, `${path}.`)
        : say('an object');
    default:
      return Array.isArray(value) ? itemProblems(attribute, value, path, say) : say('a list');
  }
}

type Say = (rule: string) => string[];

function itemProblems(attribute: Attribute, items: unknown[], path: string, say: Say): string[] {
  const { items: bounds } = attribute;
  if (items.length === 0)
    return say('omitted rather than empty: otherwise the provider plans a change forever');
  if (bounds && (items.length < bounds[0] || items.length > bounds[1])) {
    return [`\`${path}\` must have ${bounds[0]} to ${bounds[1]} members, got: ${items.length}`];
  }
  const is = attribute.of ? 'object' : attribute.is === 'set(number)' ? 'number' : 'string';
  return items.flatMap((item, index) =>
    valueProblems({ ...attribute, is }, item, `${path}[${index}]`),
  );
}

function textProblems(attribute: Attribute, value: string, say: Say): string[] {
  const { oneOf, length, text } = attribute;
  if (oneOf && !oneOf.includes(value)) return say(`one of ${oneOf.join(', ')}`);
  const { size, unit } = measureText(attribute, value);
  if (length && (size < length[0] || size > length[1])) {
    return say(`${length[0]} to ${length[1]} ${unit} long`);
  }
  const rule = text && TEXT_RULES[text](value);
  return rule === undefined ? [] : say(rule);
}

function numberProblems({ oneOf, range }: Attribute, value: number, say: Say): string[] {
  if (oneOf && !oneOf.includes(value)) return say(`one of ${oneOf.join(', ')}`);
  if (range && (value < range[0] || value > range[1])) return say(`${range[0]} to ${range[1]}`);
  return [];
}

/** What a text must be, by its rule; nothing where it is that. */
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
