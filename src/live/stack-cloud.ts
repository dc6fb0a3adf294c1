import { CLOUD_PROVIDER } from '../cloud/table/index.js';
import { type CloudReader, explainCall, openCloudReader } from '../cloud-control/cloud-reader.js';
import { isUnknown } from '../reach/read/json.js';
import type { TerraformStackJson } from '../reach/read/terraform-json.js';

/** Opens the cloud as a stack's provider does, with the environment for what its block leaves open. */
export async function openStackCloud({ blocks }: TerraformStackJson): Promise<CloudReader> {
  const body = blocks.get(`provider.${CLOUD_PROVIDER.name}`)?.body ?? {};
  const known = Object.fromEntries(Object.entries(body).filter(([, value]) => !isUnknown(value)));
  return await explainCall('the credentials', () => openCloudReader(known, process.env));
}
