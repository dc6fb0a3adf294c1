import type { IResolvable } from 'cdktf';
import type { Attribute, Attributes } from './table/row.js';

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

/** What code may give to a resource with these attributes; computed ones are left out. */
export type Config<A extends Attributes> = {
  readonly [K in keyof A & string as A[K] extends Needed ? Camel<K> : never]: Value<A[K]>;
} & {
  readonly [K in keyof A & string as A[K] extends Needed | { mode: 'computed' }
    ? never
    : Camel<K>]?: Value<A[K]> | undefined;
};

/** What code may read from a resource: strings and numbers as tokens, everything else to be put into expressions. */
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
  const values = new Map(Object.entries(config));
  const named = Object.entries(attributes).map(
    ([name, attribute]) => [name, nested(attribute, values.get(camel(name)))] as const,
  );
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}

function nested({ of, spelledOut }: Attribute, value: unknown): unknown {
  if (of === undefined || typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return toTerraform(of, value);
  const unused = spelledOut ? unusedValues(of) : {};
  return value.map((item: object) => ({ ...unused, ...toTerraform(of, item) }));
}

function unusedValues(members: Attributes): Record<string, string> {
  const entries = Object.entries(members).flatMap(([name, { unused }]) =>
    unused === undefined ? [] : [[name, unused] as const],
  );
  return Object.fromEntries(entries);
}
