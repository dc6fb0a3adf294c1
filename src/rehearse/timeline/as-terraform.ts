import { type Attributes, cloudName, type Row, TABLE } from '../../cloud/table/index.js';
import type { CloudState } from '../../sandbox/cloud/cloud-state.js';
import { isObject, type Json, type JsonObject } from '../../sandbox/json.js';

/** Bodies of resources by type and name, as in a stack's Terraform JSON. */
type TerraformBodies = { [type: string]: { [name: string]: JsonObject } };

/**
 * What a cloud has, written as the Terraform JSON that would make it: a resource is named by its
 * identifier, and where one property holds the identifier of another resource, it refers to that. What
 * reads a stack's access from its Terraform reads the cloud's in the same way.
 */
export function asTerraform(cloud: CloudState): TerraformBodies {
  const rows = TABLE.filter((row) => row.kind === 'resource');
  const references = new Map(
    rows.flatMap((row) =>
      Object.keys(cloud.resources[row.cloudType] ?? {}).map(
        (id) => [id, `\${${row.type}.${nameOf(id)}.id}`] as const,
      ),
    ),
  );
  const bodies: TerraformBodies = {};
  for (const row of rows) {
    const all = Object.entries(cloud.resources[row.cloudType] ?? {}).filter(isInForce);
    if (all.length === 0) continue;
    bodies[row.type] = Object.fromEntries(
      all.map(([id, properties]) => [nameOf(id), bodyOf(row, properties, references)]),
    );
  }
  return bodies;
}

/** A connection that was rejected or only asked for lets nobody in. */
function isInForce([, { ConnectionStatus: status }]: [string, JsonObject]): boolean {
  return status === undefined || status === 'Connected';
}

/** The name that a resource has in {@link asTerraform}. */
export function nameOf(identifier: string): string {
  return identifier.replaceAll(/[^\w-]/g, '_');
}

function bodyOf(row: Row, properties: JsonObject, references: References): JsonObject {
  const own = new Set(row.importId.map((name) => properties[name]));
  const others = new Map([...references].filter(([id]) => !own.has(id)));
  return attributesOf(row.attributes, properties, others);
}

type References = ReadonlyMap<Json, string>;

function attributesOf(attributes: Attributes, properties: JsonObject, references: References) {
  const body: JsonObject = {};
  for (const [name, attribute] of Object.entries(attributes)) {
    const value = properties[cloudName(name, attribute)];
    if (attribute.mode === 'computed' || value === undefined || value === null) continue;
    body[name] = written(value, attribute.of, references);
  }
  return body;
}

function written(value: Json, of: Attributes | undefined, references: References): Json {
  if (Array.isArray(value)) return value.map((member) => written(member, of, references));
  if (isObject(value)) return of === undefined ? value : attributesOf(of, value, references);
  return references.get(value) ?? value;
}
