/**
 * The resource types and data sources that this package uses, a file for each service of the cloud: pure
 * data, from which come the typed classes, their checks at synth, the sandbox's provider schema and the
 * IAM documentation. The facts are compared with the provider's schema by `npm run check:provider`.
 */
import * as clb from './clb.js';
import * as fwcenter from './fwcenter.js';
import * as privatelink from './privatelink.js';
import * as privatezone from './privatezone.js';
import { type Attributes, input, type ResourceRow, required } from './row.js';
import * as vpc from './vpc.js';

// Named, for the declarations would spell out each row in every place that mentions them.
type Rows = typeof clb & typeof fwcenter & typeof privatelink & typeof privatezone & typeof vpc;

/** Every resource type and data source that this package uses, by the name of its row. */
export const ROWS: Rows = { ...clb, ...fwcenter, ...privatelink, ...privatezone, ...vpc };

export const TABLE: readonly Rows[keyof Rows][] = Object.values(ROWS);

export const RESOURCE_ROWS: readonly ResourceRow[] = TABLE.filter(
  ({ kind }) => kind === 'resource',
);

export function findResourceRow(type: string): ResourceRow | undefined {
  return RESOURCE_ROWS.find((row) => row.type === type);
}

/** The provider that the cloud's owner maintains. */
export const CLOUD_PROVIDER = {
  name: 'volcenginecc',
  source: 'volcengine/volcenginecc',
  /** From the version whose schema the table has; which one is used, a lock file says. */
  versions: '>= 0.0.53, < 0.1.0',
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
