import type { Row } from '../../cloud/table/index.js';
import { type JsonObject, textOf } from '../json.js';
import { danglingReference } from './cloud-error.js';
import type { CloudScope } from './cloud-type.js';

type CloudRow = Row & { readonly cloudType: string };

/** The resource that a property refers to. @throws CloudError where there is none */
export function referenced(
  cloud: CloudScope,
  row: CloudRow,
  property: string,
  identifier: string,
): JsonObject {
  const found = cloud.find(row.cloudType, identifier);
  if (!found) throw danglingReference(property, identifier);
  return found;
}

/** The identifiers of the resources of a type that use something. */
export function users(
  cloud: CloudScope,
  row: CloudRow,
  idName: string,
  uses: (properties: JsonObject) => boolean,
): string[] {
  return cloud
    .all(row.cloudType)
    .filter(uses)
    .map((properties) => textOf(properties, idName));
}
