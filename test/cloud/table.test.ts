import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { differences, type ProviderSchema } from '../../scripts/schema-differences.js';
import { PROVIDER_CONFIGURATION, TABLE } from '../../src/cloud/table/index.js';
import type { Attribute, Attributes, Row } from '../../src/cloud/table/row.js';
import { cloudName } from '../../src/cloud/table/row.js';

const FOLDER = '../shared/schema';
const read = <T>(file: string): T => JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as T;
const rows: readonly Row[] = TABLE;

describe.skipIf(!existsSync(FOLDER))('the table agrees with the real provider', () => {
  test('on every attribute, shape and mode', () => {
    const schemas = read<{ provider_schemas: Record<string, ProviderSchema> }>(
      'volcenginecc-0.0.53.json',
    ).provider_schemas;
    const schema = schemas['registry.terraform.io/volcengine/volcenginecc'];
    expect(schema && differences(rows, PROVIDER_CONFIGURATION, schema)).toEqual([]);
  });

  test('on what forces replacement', () => {
    const replacing = read<Record<string, string[]>>('replace.json');
    for (const row of rows.filter(({ kind }) => kind === 'resource')) {
      expect(
        pathsWhere(row.attributes, ({ replaces }) => replaces === true),
        row.type,
      ).toEqual(replacing[row.type]?.toSorted());
    }
  });

  test('on what is write-only, and on import ids', () => {
    const { types } = read<{ types: Record<string, { import_id: string; write_only?: string[] }> }>(
      'constraints.json',
    );
    for (const row of rows.filter(({ kind }) => kind === 'resource')) {
      expect(row.importId.join('|'), row.type).toBe(
        types[row.type]?.import_id ?? row.importId.join('|'),
      );
      expect(
        pathsWhere(row.attributes, ({ writeOnly }) => writeOnly === true),
        row.type,
      ).toEqual((types[row.type]?.write_only ?? []).toSorted());
    }
  });

  test('on the names of properties in the API', () => {
    const types = read<Record<string, { props: Record<string, unknown> }>>(
      'cloud-control-types.json',
    );
    for (const row of rows) {
      const known = Object.keys(types[row.cloudType ?? '']?.props ?? {});
      const named = Object.entries(row.attributes)
        .filter(([name]) => name !== 'id')
        .map(([name, attribute]) => cloudName(name, attribute));
      expect(
        named.filter((name) => !known.includes(name)),
        row.type,
      ).toEqual([]);
    }
  });

  test('on the actions that a deploy and a search need', () => {
    const permissions = read<Record<string, Record<string, string[]>>>('permissions.json');
    for (const { type, actions } of rows.filter(({ kind }) => kind === 'resource')) {
      const { list, ...operations } = permissions[type] ?? {};
      const deploy = [...new Set(Object.values(operations).flat())].sort();
      expect(actions, type).toEqual(list && { deploy, list });
    }
  });
});

test('has each type once, and each nested object with members', () => {
  const keys = rows.map(({ kind, type }) => `${kind} ${type}`);
  expect(new Set(keys).size).toBe(keys.length);
  for (const row of rows) {
    expect(
      pathsWhere(row.attributes, ({ is, of }) => is.includes('object') !== (of !== undefined)),
    ).toEqual([]);
  }
});

test('says of every set and list of objects how its members are protected from being refilled', () => {
  for (const row of rows.filter(({ kind }) => kind === 'resource')) {
    for (const [path, { spelledOut, partly, of = {} }] of collectionsOf(row.attributes)) {
      const where = `${row.type}.${path}`;
      expect([spelledOut === true, partly !== undefined], where).toContain(true);
      expect(spelledOut === true && partly !== undefined, where).toBe(false);
      const open = Object.entries(of).filter(
        ([, member]) => !member.mandatory && !member.written && member.unused === undefined,
      );
      if (spelledOut) expect(open, where).toEqual([]);
      else expect(open, where).not.toEqual([]);
    }
  }
});

test('holds nothing but data', () => {
  expect(JSON.parse(JSON.stringify(rows))).toEqual(rows);
});

function pathsWhere(
  attributes: Attributes,
  holds: (attribute: Attribute) => boolean,
  path = '',
): string[] {
  return Object.entries(attributes)
    .flatMap(([name, attribute]) => [
      ...(holds(attribute) ? [path + name] : []),
      ...pathsWhere(attribute.of ?? {}, holds, `${path}${name}.`),
    ])
    .sort();
}

/** Every set or list of objects that a configuration can give. */
function collectionsOf(attributes: Attributes): (readonly [string, Attribute])[] {
  return Object.entries(attributes).filter(
    ([, { is, mode }]) => /^(set|list)\(object\)$/.test(is) && mode !== 'computed',
  );
}
