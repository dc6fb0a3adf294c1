import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../../files/json.js';
import { partsOf, type Token } from '../../terraform/template.js';

/** Members that differ in one address alone, of which a module has the list once. */
interface Run {
  readonly from: number;
  readonly to: number;
  readonly key: string;
  readonly addresses: readonly string[];
}

/** Shorter lists are read more easily where they are. */
const LEAST = 4;

const ADDRESS = /^[\da-f.:]+\/\d+$/;

/** The lists of addresses in a module, each once and by name. */
export class SharedLists {
  readonly #lists = new Map<string, { readonly name: string; readonly list: readonly string[] }>();

  /** Each list by the name of its local value. */
  get locals(): Record<string, readonly string[]> {
    return Object.fromEntries([...this.#lists.values()].map(({ name, list }) => [name, list]));
  }

  /** Takes the lists out of resources, by type and name. */
  take(resources: JsonObject): JsonObject {
    return mapMembers(resources, (named) =>
      mapMembers(named, (body, name) => mapMembers(body, (value) => this.#shared(value, name))),
    );
  }

  /** Writes links, which are JSON, with the lists that were taken. */
  inLinks(links: string): string {
    return [...this.#lists.values()].reduce(
      (text, { name, list }) =>
        text.replaceAll(JSON.stringify(list), () => `\${jsonencode(local.${name})}`),
      links,
    );
  }

  #shared(value: unknown, resource: string): unknown {
    if (!Array.isArray(value) || !isWritable(value)) return value;
    const run = findRun(value);
    if (run === undefined) return value;
    const { from, to, key, addresses } = run;
    const member = JSON.stringify({ ...value[from], [key]: 'ADDRESS' });
    const each = member.replace('"ADDRESS"', 'address');
    const list = `[for address in local.${this.#nameOf(addresses, resource)} : ${each}]`;
    const parts = [
      ...(from > 0 ? [JSON.stringify(value.slice(0, from))] : []),
      list,
      ...(to < value.length ? [JSON.stringify(value.slice(to))] : []),
    ];
    return parts.length === 1 ? `\${${list}}` : `\${concat(${parts.join(', ')})}`;
  }

  #nameOf(list: readonly string[], resource: string): string {
    const key = JSON.stringify(list);
    const known = this.#lists.get(key);
    if (known !== undefined) return known.name;
    const names = [...this.#lists.values()].map(({ name }) => name);
    const name = `${resource}_addresses`;
    const own = names.includes(name) ? `${name}_${names.length}` : name;
    this.#lists.set(key, { name: own, list });
    return own;
  }
}

/** Tells whether an expression writes a value as JSON does: with no quotes or trimmed blanks in an expression of its own. */
function isWritable(value: unknown): boolean {
  if (typeof value !== 'string') {
    return typeof value !== 'object' || value === null || Object.values(value).every(isWritable);
  }
  const isPlain = ({ kind, text }: Token) => kind !== 'text' && text !== '~';
  const parts = /[\b\f]/.test(value) ? undefined : partsOf(value);
  return parts?.every(({ tokens = [] }) => tokens.every(isPlain)) ?? false;
}

/** Maps the members of an object; what is none has no members. */
export function mapMembers(
  value: unknown,
  map: (member: unknown, name: string) => unknown,
): JsonObject {
  const members = Object.entries(isObject(value) ? value : {});
  return Object.fromEntries(members.map(([name, member]) => [name, map(member, name)]));
}

/** Finds the first members of a list, as many as follow one another, that differ in one address alone. */
function findRun(members: readonly unknown[]): Run | undefined {
  for (const [from, first] of members.entries()) {
    if (!isObject(first)) continue;
    for (const [key, address] of Object.entries(first)) {
      if (typeof address !== 'string' || !ADDRESS.test(address)) continue;
      const differs = members.slice(from).findIndex((one) => !isLike(one, first, key));
      const to = differs < 0 ? members.length : from + differs;
      if (to - from < LEAST) continue;
      const run = members.slice(from, to).filter(isObject);
      return { from, to, key, addresses: run.map((one) => String(one[key])) };
    }
  }
  return undefined;
}

function isLike(one: unknown, first: JsonObject, key: string): boolean {
  if (!isObject(one) || typeof one[key] !== 'string' || !ADDRESS.test(one[key])) return false;
  return isDeepStrictEqual({ ...one, [key]: '' }, { ...first, [key]: '' });
}
