import { RESOURCE_ROWS } from '../../cloud/table/index.js';
import { READ_ONLY_ROWS } from '../../cloud/table/read-only.js';
import { type Attributes, cloudName } from '../../cloud/table/row.js';
import { type Json, object } from './json.js';
import type { SynthesizedStack } from './read-tree.js';
import type { TerraformResource, TerraformStackJson } from './terraform-json.js';

/** The objects of a cloud: properties by the cloud's type and by identifier. */
export interface CloudObjects {
  readonly resources: Readonly<Record<string, Readonly<Record<string, Json>>>>;
}

/** A clause about an object, and Terraform's address of it. */
export interface Told {
  readonly address: string;
  readonly clause: string;
}

/** A stack as the cloud has it, with what others have put beside it, and as its last deploy left it. */
export interface FoundCloud extends SynthesizedStack {
  /** The objects as the state has them. */
  readonly deployed: TerraformStackJson;
  /** The objects as the state has them, at the places that the cloud has. */
  readonly expected: TerraformStackJson;
  /** Other addresses and connections of endpoints than the state has. */
  readonly changes: readonly Told[];
  /** Objects that are in the state and not in the cloud, by their addresses. */
  readonly gone: readonly Told[];
  /** Parts that the cloud did not tell, or was not asked for, as clauses. */
  readonly missed: readonly string[];
  /** Parts of others that answer a name of the stack, with their addresses. */
  readonly answers: readonly Told[];
  /** Objects of other stacks that act on this one, as the states of those have them. */
  readonly neighbours: TerraformStackJson['resources'];
}

/**
 * Writes what a cloud has as the resources that would make it: each is named by its identifier, or has the
 * address that is given, and a property that holds the identifier of another resource refers to that one. So
 * the reader of a stack's Terraform reads a cloud as well.
 */
export function asTerraform(
  cloud: CloudObjects,
  addressOf: (identifier: string, cloudType: string) => string | undefined = () => undefined,
): TerraformResource[] {
  const rows = [...RESOURCE_ROWS, ...READ_ONLY_ROWS];
  const place = (id: string, { type, cloudType }: (typeof rows)[number]) =>
    addressOf(id, cloudType) ?? `${type}.${toName(id)}`;
  const references = new Map<unknown, string>(
    rows.flatMap((row) =>
      Object.keys(cloud.resources[row.cloudType] ?? {}).map(
        (id) => [id, `\${${place(id, row)}.id}`] as const,
      ),
    ),
  );
  return rows.flatMap((row) =>
    Object.entries(cloud.resources[row.cloudType] ?? {})
      // A connection that is not accepted lets nobody in; the gate of an endpoint says so of its own.
      .filter(
        ([, one]) =>
          !/Connection$/.test(row.cloudType) ||
          (one.ConnectionStatus ?? 'Connected') === 'Connected',
      )
      .map(([id, properties]) => {
        const body = toAttributes(row.attributes, properties, (value) =>
          value === id ? undefined : references.get(value),
        );
        return { address: place(id, row), kind: 'resource', type: row.type, body };
      }),
  );
}

/** The name that a resource has in {@link asTerraform}. */
export function toName(identifier: string): string {
  return identifier.replaceAll(/[^\w-]/g, '_');
}

/** The reference that stands for a value; undefined where it is no identifier of another object. */
type Refer = (value: unknown) => string | undefined;

function toAttributes(attributes: Attributes, properties: Json, refer: Refer): Json {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, attribute]) => {
      const value = properties[cloudName(name, attribute)];
      if (value === undefined || value === null) return [];
      return [[name, written(value, attribute.of, refer)]];
    }),
  );
}

function written(value: unknown, of: Attributes | undefined, refer: Refer): unknown {
  if (Array.isArray(value)) {
    return value.map((member: unknown) => written(member, of, refer));
  }
  const properties = object(value);
  if (properties === value) return of ? toAttributes(of, properties, refer) : value;
  return refer(value) ?? value;
}
