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

/** A way in which the table differs from a provider's own schema. */
export interface Difference {
  /** The type, or the attribute with its path. */
  readonly where: string;
  /** What is different there, as a clause. */
  readonly what: string;
  /** What no longer works with that provider; undefined where everything does. */
  readonly breaks: string | undefined;
}

/** Every way in which the table differs from a provider's own schema. */
export function differences(
  rows: readonly Row[],
  configuration: Attributes,
  schema: ProviderSchema,
): Difference[] {
  return [
    ...compare('provider', configuration, schema.provider.block.attributes ?? {}),
    ...rows.flatMap(({ kind, type, version, attributes }): Difference[] => {
      const all = kind === 'resource' ? schema.resource_schemas : schema.data_source_schemas;
      const theirs = all[type];
      if (theirs === undefined) return [{ where: type, what: 'does not exist', breaks: PLANS }];
      return [
        ...compareVersions(type, version, theirs.version),
        ...compare(type, attributes, theirs.block.attributes ?? {}),
      ];
    }),
  ];
}

const PLANS = 'every plan with it';
const WRITES = 'every plan that writes it';
const READS = 'every plan that reads it';

function compareVersions(where: string, ours: number, theirs: number): Difference[] {
  if (ours === theirs) return [];
  const breaks = theirs < ours ? 'states that are there' : 'going back to an older provider';
  return [{ where, what: `has states of version ${theirs}, not ${ours}`, breaks }];
}

function compare(
  path: string,
  ours: Attributes,
  theirs: Record<string, SchemaAttribute>,
): Difference[] {
  const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].sort();
  return names.flatMap((name) => compareAttributes(`${path}.${name}`, ours[name], theirs[name]));
}

function compareAttributes(
  where: string,
  mine: Attribute | undefined,
  other: SchemaAttribute | undefined,
): Difference[] {
  if (other === undefined) {
    const breaks = mine?.mode === 'computed' ? READS : WRITES;
    return [{ where, what: 'does not exist', breaks }];
  }
  const mode = modeOf(other);
  if (mine === undefined) {
    return mode === 'required'
      ? [{ where, what: 'is required, and not in the table', breaks: PLANS }]
      : [{ where, what: 'is not in the table', breaks: undefined }];
  }
  const shape = shapeOf(other);
  const access = mine.mode === 'computed' ? READS : WRITES;
  return [
    ...(mine.is === shape ? [] : [{ where, what: `is ${shape}, not ${mine.is}`, breaks: access }]),
    ...(mine.mode === mode
      ? []
      : [{ where, what: `is ${mode}, not ${mine.mode}`, breaks: brokenBy(mine.mode, mode) }]),
    ...compare(where, mine.of ?? {}, other.nested_type?.attributes ?? {}),
  ];
}

/** Says what an attribute of another mode breaks. */
function brokenBy(ours: Mode, theirs: Mode): string | undefined {
  if (theirs === 'required') return 'every plan that leaves it out';
  if (theirs === 'computed') return WRITES;
  if (ours === 'computed' && theirs === 'optional') return READS;
  const isRefilled = ours === 'optional-computed' && theirs === 'optional';
  return isRefilled ? 'an empty plan where it is left out' : undefined;
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
