import { CloudError } from '../cloud-error.js';
import type { CloudType } from '../cloud-type.js';
import * as all from './all.js';

/** Every resource type that the sandbox's cloud has: what the files export that has a row of the table. */
export const CLOUD_TYPES: readonly CloudType[] = Object.values(all).filter(
  (exported) => typeof exported === 'object' && 'row' in exported,
);

/** @throws CloudError where there is no such type */
export function findType(typeName: string): CloudType {
  const type = CLOUD_TYPES.find(({ row }) => row.cloudType === typeName);
  if (!type) throw new CloudError('UnsupportedType', `there is no type "${typeName}"`);
  return type;
}
