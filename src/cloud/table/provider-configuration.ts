import { input, required } from './attribute.js';
import type { Attributes } from './row.js';

/** The provider that the cloud's owner maintains. */
export const CLOUD_PROVIDER = {
  name: 'volcenginecc',
  source: 'volcengine/volcenginecc',
  version: '0.0.53',
} as const;

/**
 * The provider block. Credentials are left to the environment (`VOLCENGINE_ACCESS_KEY`, …): in the
 * block they would show in the plan.
 */
export const PROVIDER_CONFIGURATION = {
  access_key: input('string'),
  assume_role: input('object', {
    of: {
      assume_role_trn: required('string'),
      duration_seconds: input('number'),
      policy: input('string'),
    },
  }),
  customer_headers: input('string'),
  disable_ssl: input('bool'),
  endpoints: input('object', { of: { cloudcontrolapi: input('string'), sts: input('string') } }),
  file_path: input('string'),
  profile: input('string'),
  proxy_url: input('string'),
  region: input('string'),
  secret_key: input('string'),
  session_token: input('string'),
} as const satisfies Attributes;
