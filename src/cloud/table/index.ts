/**
 * The resource types and data sources that this package uses, a file for each service of the cloud: pure
 * data, from which come the typed classes, their checks at synth, the sandbox's provider schema and the
 * IAM documentation. The facts are compared with the provider's schema by `npm run check:provider`.
 */
import { type Attributes, input, type ResourceRow, type Row, required } from './row.js';
import * as rows from './rows.js';

export type {
  Attribute,
  Attributes,
  Mode,
  Permissions,
  ResourceRow,
  Row,
  Shape,
  TextRule,
} from './row.js';
export { cloudName, measureText } from './row.js';
export * from './rows.js';

/** Every resource type and data source that this package uses. */
export const TABLE = Object.values(rows) satisfies readonly Row[];

export const RESOURCE_ROWS: readonly ResourceRow[] = TABLE.filter(
  ({ kind }) => kind === 'resource',
);

export function findResourceRow(type: string): ResourceRow | undefined {
  return RESOURCE_ROWS.find((row) => row.type === type);
}

/** What the identity that deploys must be allowed to do with one type. */
interface TypePermissions {
  readonly type: string;
  /** IAM actions, sorted; none where the cloud's type registry lists none. */
  readonly actions: readonly string[];
}

/**
 * The IAM actions for resource types, over every operation that Terraform may ask for.
 *
 * @param types Terraform's type names; those that the table does not know are left out
 */
export function permissionsFor(types: Iterable<string>): TypePermissions[] {
  const wanted = new Set(types);
  const rows: readonly Row[] = TABLE;
  return [...wanted].sort().flatMap((type) => {
    const known = rows.filter((row) => row.type === type);
    if (known.length === 0) return [];
    const actions = known.flatMap(({ permissions }) => Object.values(permissions ?? {}).flat());
    return [{ type, actions: [...new Set(actions)].sort() }];
  });
}

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
