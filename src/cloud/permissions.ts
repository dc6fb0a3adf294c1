import { type Row, TABLE } from './table/index.js';

/** What the identity that deploys must be allowed to do with one type. */
export interface TypePermissions {
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
