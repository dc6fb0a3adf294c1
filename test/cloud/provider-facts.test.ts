import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { TABLE } from '../../src/cloud/table/index.js';
import type { Attribute, Attributes, Row } from '../../src/cloud/table/row.js';

/** The facts of the provider's source on one attribute; see `provider-0.0.53.json`. */
interface Facts {
  readonly mode: Attribute['mode'];
  readonly replaces?: 'always' | 'if configured';
  /** False where a plan does not keep the prior value of what is left open. */
  readonly keeps?: false;
  readonly mandatory?: true;
  readonly fraction?: true;
  readonly default?: unknown;
  readonly length?: readonly [number, number];
  readonly items?: readonly [number, number];
  readonly range?: readonly [number | null, number];
  readonly oneOf?: readonly unknown[];
}

const PROVIDER: Record<string, Record<string, Facts>> = JSON.parse(
  readFileSync('test/cloud/provider-0.0.53.json', 'utf8'),
);

/** Attributes for which the table is stricter than the provider on purpose. */
const STRICTER: Readonly<Record<string, readonly (keyof Facts)[]>> = {
  // The provider passes 50 tags; the cloud takes 20.
  'volcenginecc_clb_acl.tags': ['items'],
  'volcenginecc_clb_listener.tags': ['items'],
  'volcenginecc_clb_server_group.tags': ['items'],
  // The provider has no least port.
  'volcenginecc_clb_server_group.servers.port': ['range'],
};

const rows: readonly Row[] = TABLE.filter(({ kind }) => kind === 'resource');

describe("the table has the provider's own facts", () => {
  test.each(rows)('of $type', ({ type, attributes }) => {
    const provider = PROVIDER[type] ?? {};
    const table = new Map(flat(attributes).filter(([path]) => path !== 'id'));
    expect([...table.keys()].sort()).toEqual(Object.keys(provider).sort());
    for (const [path, attribute] of table) {
      const { keeps: _, ...facts } = provider[path] ?? { mode: 'computed' };
      const stricter = STRICTER[`${type}.${path}`] ?? [];
      expect(without(factsOf(attribute), stricter), `${type}.${path}`).toEqual(
        without(facts, stricter),
      );
    }
  });
});

test('a plan keeps whatever is left open, but for what is inside of what only the cloud fills', () => {
  for (const [type, all] of Object.entries(PROVIDER)) {
    for (const path of Object.keys(all).filter((one) => all[one]?.keeps === false)) {
      const parent = path.slice(0, path.lastIndexOf('.'));
      expect([all[path]?.mode, all[parent]?.mode], `${type}.${path}`).toEqual([
        'computed',
        'computed',
      ]);
    }
  }
});

function flat(attributes: Attributes, prefix = ''): (readonly [string, Attribute])[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => [
    [`${prefix}${name}`, attribute] as const,
    ...flat(attribute.of ?? {}, `${prefix}${name}.`),
  ]);
}

function factsOf(attribute: Attribute): Facts {
  const { mode, replaces, mandatory, fraction, default: planned, documented } = attribute;
  const { length, items, range, oneOf } = documented ? {} : attribute;
  const facts: Facts = {
    mode,
    ...(replaces && { replaces: mode === 'required' ? 'always' : 'if configured' }),
    ...(mandatory && { mandatory }),
    ...(fraction && { fraction }),
    ...(planned !== undefined && { default: planned }),
    ...(length && { length }),
    ...(items && { items }),
    ...(range && { range }),
    ...(oneOf && { oneOf }),
  };
  return facts;
}

function without(facts: Facts, names: readonly (keyof Facts)[]): object {
  return Object.fromEntries(
    Object.entries(facts).filter(([name]) => !names.some((one) => one === name)),
  );
}
