import { type Row, TABLE } from '../cloud/table/index.js';

export type CloudRow = Row & { readonly cloudType: string };

/** The types of resources that the cloud's API has. */
export const CLOUD_ROWS: readonly CloudRow[] = TABLE.filter((row) => row.kind === 'resource');

export function findCloudRow(type: string): CloudRow | undefined {
  return CLOUD_ROWS.find((row) => row.type === type);
}
