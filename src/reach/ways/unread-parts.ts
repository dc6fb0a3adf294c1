import { TABLE } from '../../cloud/table/index.js';
import { vpcEni, vpcNetworkAcl } from '../../cloud/table/read-only.js';
import type { Row } from '../../cloud/table/row.js';
import { list, object, text } from '../read/json.js';
import { runsOtherProgram } from '../read/programs.js';
import type { TerraformResource, TerraformStackJson } from '../read/terraform-json.js';

/** Files that Terraform loads and nobody here reads, and links to anything. */
const LOADED = /\.(?:tf|tofu|tofu\.json|tfvars|tfvars\.json)$/;

const ROWS: ReadonlyMap<string, Pick<Row, 'attributes'>> = new Map(
  [...TABLE, vpcEni, vpcNetworkAcl].map((row) => [row.type, row]),
);

/** Arguments that every resource can have. */
const ARGUMENTS = ['//', 'count', 'depends_on', 'for_each', 'lifecycle', 'provider'];

/** Labels; and the firewall itself moves the positions of policies when others are put between them. */
const CARRIES_NOTHING = /^(?:tags|description|remark|project_name|prio)$/;

function unreadOf({ address, type, body }: TerraformResource): string[] {
  const row = ROWS.get(type);
  if (row === undefined) return [`${address}: its type is not known`];
  const ignored = list(object(body.lifecycle).ignore_changes)
    .map((name) => text(name).replace(/[.[].*$/s, ''))
    .filter((name) => !CARRIES_NOTHING.test(name));
  return [
    ...Object.keys(body)
      .filter((name) => !ARGUMENTS.includes(name) && !Object.hasOwn(row.attributes, name))
      .map((name) => `${address} ${name}: the argument is not known`),
    ...(ignored.length > 0 ? [`${address}: the cloud may have other values than are written`] : []),
  ];
}

/** Lists the parts of a stack that can open or close anything, as clauses. */
export function unreadParts({ resources, blocks, files }: TerraformStackJson): string[] {
  return [
    ...resources
      .filter(runsOtherProgram)
      .map(({ address }) => `${address}: it runs a program, which can open anything`),
    ...resources
      .filter(({ kind, type }) => kind === 'resource' && type.startsWith('volcengine'))
      .flatMap(unreadOf),
    ...[...blocks]
      .filter(([, { kind }]) => kind === 'module')
      .map(([name]) => `${name}: a module can open anything`),
    ...files
      .filter(({ where, isOutside }) => isOutside === true || LOADED.test(where))
      .map(({ where, why }) => `${where}: ${why}`),
  ];
}
