/**
 * The resource types and data sources that this package uses, a file each: pure data, from which come
 * the typed classes, their checks at synth, the sandbox's provider schema and the IAM documentation. A
 * type is added by its file, a line in `rows.ts` and a class in `../resource.ts`; the facts are compared
 * with the provider's schema by `npm run check:provider`.
 */
import type { Row } from './row.js';
import * as rows from './rows.js';

export { CLOUD_PROVIDER, PROVIDER_CONFIGURATION } from './provider-configuration.js';
export type { Attribute, Attributes, Mode, Permissions, Row, Shape, TextRule } from './row.js';
export { cloudName, measureText } from './row.js';
export * from './rows.js';

/** Every resource type and data source that this package uses. */
export const TABLE = Object.values(rows) satisfies readonly Row[];

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
