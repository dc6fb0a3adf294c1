import { type Reference, soleReference } from '../../terraform/expressions.js';

const NAME = String.raw`[\p{ID_Start}_][\p{ID_Continue}-]*`;
const KEY = String.raw`\[(?:\d+|"(?:[^"\\]|\\.)*")\]`;

/** Matches an object's address, whole: the path of its module, its type, its name, each with its key. */
export const ADDRESS = String.raw`(?:module\.${NAME}(?:${KEY})?\.)*(?:data\.)?[a-z]\w*\.${NAME}(?:${KEY})?`;

/** Matches a module, with its key. */
export const MODULE_STEP = String.raw`module\.(${NAME})(${KEY})?`;

const PATH = new RegExp(String.raw`^(?:module\.${NAME}(?:${KEY})?(?:\.|$))*`, 'su');

/** Returns the path of the module that an address is in; empty for the root. */
export function moduleOf(address: string): string {
  return (PATH.exec(address)?.[0] ?? '').replace(/\.$/, '');
}

/** The parts of an address. */
interface AddressParts {
  readonly module?: string | undefined;
  readonly type: string;
  readonly name: string;
  /** Of `for_each` a text, of `count` a number. */
  readonly key?: string | number | null | undefined;
}

/** Writes the address of an instance as Terraform does. */
export function toAddress({ module, type, name, key }: AddressParts): string {
  const path = module ? `${module}.` : '';
  return `${path}${type}.${name}${key === undefined || key === null ? '' : `[${quoted(key)}]`}`;
}

function quoted(key: string | number): string {
  if (typeof key === 'number') return String(key);
  const escaped = key
    .replaceAll(/["\\]/g, String.raw`\$&`)
    .replaceAll(/[$%](?=\{)/g, '$&$&')
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, escapedCharacter);
  return `"${escaped}"`;
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Go has two lengths of escapes, where JSON has one. */
function escapedCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  const long = code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
  return ESCAPES[character] ?? long;
}

const LAST_KEY = new RegExp(`${KEY}$`, 'su');

/** Returns the resource of an instance: its address without its own key. */
export function resourceOf(address: string): string {
  return address.replace(LAST_KEY, '');
}

const TYPE = new RegExp(
  String.raw`^(?:module\.${NAME}(?:${KEY})?\.)*(?:data\.)?([a-z]\w*)\.`,
  'su',
);

/** Returns the type in an address; empty where it has none, as that of a module. */
export function typeOf(address: string): string {
  const type = TYPE.exec(address)?.[1] ?? '';
  return type === 'module' ? '' : type;
}

const WORD = new RegExp(`(?<![^ ,;])${ADDRESS}(?![^ ,;])`, 'gsu');

/** Lists the addresses that are words of a text, keys with spaces in them whole. */
export function addressesIn(text: string): string[] {
  return text.match(WORD) ?? [];
}

const FIRST = new RegExp(`^${ADDRESS}(?![^ ])`, 'su');

/** Returns the address that a text begins with, or its first word. */
export function firstAddress(text: string): string {
  return FIRST.exec(text)?.[0] ?? text.split(' ')[0] ?? '';
}

const ATTRIBUTE = new RegExp(`^(${ADDRESS})\\.(\\w+)$`, 'su');

/** Reads a reference to an attribute of a resource, or of an instance. */
export function attributeOf(reference: Reference | undefined) {
  const [, address, attribute] = ATTRIBUTE.exec(reference?.text ?? '') ?? [];
  return address === undefined || attribute === undefined ? undefined : { address, attribute };
}

/** Reads an expression that is the identifier of a resource, or of an instance, and nothing else. */
export function identifierReference(value: unknown) {
  const found = attributeOf(soleReference(value));
  return found !== undefined && isIdentifier(found.attribute) ? found : undefined;
}

/** Tells whether an attribute is an identifier, by which others refer to a resource. */
export function isIdentifier(attribute: string): boolean {
  return /^(?:(?:\w+_)?(?:id|uuid)|zid)$/.test(attribute);
}
