import { CLOUD_PROVIDER } from '../cloud/table/index.js';
import { type CloudReader, explainCall, openCloudReader } from '../cloud-control/cloud-reader.js';
import { isUnknown } from '../reach/read/json.js';
import type { TerraformStackJson } from '../reach/read/terraform-json.js';

/**
 * Reads the cloud as a stack's provider does, with the environment for what its block leaves open.
 *
 * @param what is read, for an error
 * @throws ConnectivityError `cloud.unreadable`
 */
export async function withStackCloud<T>(
  { blocks }: TerraformStackJson,
  what: string,
  read: (cloud: CloudReader) => Promise<T>,
): Promise<T> {
  const body = blocks.get(`provider.${CLOUD_PROVIDER.name}`)?.body ?? {};
  const known = Object.fromEntries(Object.entries(body).filter(([, value]) => !isUnknown(value)));
  const cloud = await explainCall('the credentials', () => openCloudReader(known, process.env));
  try {
    return await explainCall(what, () => read(cloud));
  } finally {
    await cloud.close();
  }
}
