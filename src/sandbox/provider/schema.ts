import type { Attribute, Attributes, Row, Shape } from '../../cloud/table/row.js';

const TYPES: Partial<Record<Shape, unknown>> = {
  string: 'string',
  number: 'number',
  bool: 'bool',
  'set(string)': ['set', 'string'],
  'set(number)': ['set', 'number'],
  'list(string)': ['list', 'string'],
  'map(string)': ['map', 'string'],
};

const NESTING: Partial<Record<Shape, string>> = {
  object: 'SINGLE',
  'list(object)': 'LIST',
  'set(object)': 'SET',
};

/** A row's schema as the plugin protocol describes it. */
function rowSchema(row: Row): object {
  return { version: row.version, block: blockOf(row.attributes) };
}

/** The schema of the provider block. */
export function configurationSchema(attributes: Attributes): object {
  return { version: 0, block: blockOf(attributes) };
}

/** The schemas of one kind of row by type name. */
export function schemasOf(rows: readonly Row[], kind: Row['kind']): Record<string, object> {
  const chosen = rows.filter((row) => row.kind === kind);
  return Object.fromEntries(chosen.map((row) => [row.type, rowSchema(row)]));
}

function blockOf(attributes: Attributes): object {
  return { attributes: attributeSchemas(attributes) };
}

function attributeSchemas(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([name, attribute]) => ({
    name,
    ...typeOf(attribute),
    required: attribute.mode === 'required',
    optional: attribute.mode === 'optional' || attribute.mode === 'optional-computed',
    computed: attribute.mode === 'computed' || attribute.mode === 'optional-computed',
    sensitive: attribute.sensitive === true,
  }));
}

function typeOf(attribute: Attribute): object {
  const nesting = NESTING[attribute.is];
  if (nesting === undefined) return { type: Buffer.from(JSON.stringify(TYPES[attribute.is])) };
  return { nested_type: { attributes: attributeSchemas(attribute.of ?? {}), nesting } };
}
