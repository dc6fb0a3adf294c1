import type { Attribute, Attributes, Mode, Row } from '../src/cloud/table/row.js';

interface SchemaAttribute {
  readonly type?: string | readonly [string, string];
  readonly nested_type?: {
    readonly nesting_mode: string;
    readonly attributes: Record<string, SchemaAttribute>;
  };
  readonly required?: boolean;
  readonly optional?: boolean;
  readonly computed?: boolean;
}

interface Schema {
  readonly version: number;
  readonly block: { readonly attributes?: Record<string, SchemaAttribute> };
}

/** One provider, as `terraform providers schema -json` prints it. */
export interface ProviderSchema {
  readonly provider: Schema;
  readonly resource_schemas: Record<string, Schema>;
  readonly data_source_schemas: Record<string, Schema>;
}

/** Every way in which the table differs from a provider's own schema. */
export function differences(
  rows: readonly Row[],
  configuration: Attributes,
  schema: ProviderSchema,
): string[] {
  return [
    ...compare('provider', configuration, schema.provider.block.attributes ?? {}),
    ...rows.flatMap((row) => {
      const all = row.kind === 'resource' ? schema.resource_schemas : schema.data_source_schemas;
      const theirs = all[row.type];
      if (theirs === undefined) return [`${row.kind} ${row.type}: the provider has no such type`];
      const version =
        theirs.version === row.version ? [] : [`${row.type}: version is ${theirs.version}`];
      return [...version, ...compare(row.type, row.attributes, theirs.block.attributes ?? {})];
    }),
  ];
}

function compare(
  path: string,
  ours: Attributes,
  theirs: Record<string, SchemaAttribute>,
): string[] {
  const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].sort();
  return names.flatMap((name) => {
    const [mine, other] = [ours[name], theirs[name]];
    const where = `${path}.${name}`;
    if (mine === undefined) return [`${where} is missing in the table`];
    if (other === undefined) return [`${where} does not exist`];
    return [
      ...(mine.is === shapeOf(other) ? [] : [`${where} is ${shapeOf(other)}, not ${mine.is}`]),
      ...(mine.mode === modeOf(other) ? [] : [`${where} is ${modeOf(other)}, not ${mine.mode}`]),
      ...compare(where, mine.of ?? {}, other.nested_type?.attributes ?? {}),
    ];
  });
}

function shapeOf({ type, nested_type: nested }: SchemaAttribute): Attribute['is'] | string {
  if (nested) return nested.nesting_mode === 'single' ? 'object' : `${nested.nesting_mode}(object)`;
  return typeof type === 'string' ? type : `${type?.[0]}(${type?.[1]})`;
}

function modeOf({ required, optional, computed }: SchemaAttribute): Mode {
  if (required) return 'required';
  if (optional) return computed ? 'optional-computed' : 'optional';
  return 'computed';
}
