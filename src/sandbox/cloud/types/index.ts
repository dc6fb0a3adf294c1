import { CloudError } from '../cloud-error.js';
import type { CloudType } from '../cloud-type.js';
import * as all from './all.js';

/** Every resource type that the sandbox's cloud has: the objects among what the files export. */
export const CLOUD_TYPES: readonly CloudType[] = Object.values(all).filter(
  (exported) => typeof exported === 'object',
);

/** @throws CloudError where there is no such type */
export function findType(typeName: string): CloudType {
  const type = CLOUD_TYPES.find(({ row }) => row.cloudType === typeName);
  if (!type) throw new CloudError('UnsupportedType', `there is no type "${typeName}"`);
  return type;
}
