import { TABLE } from '../../cloud/table/index.js';
import { vpcEni, vpcNetworkAcl } from '../../cloud/table/read-only.js';
import type { Row } from '../../cloud/table/row.js';
import { list, object, text } from '../read/json.js';
import type { Block } from '../read/merge-files.js';
import { runsOtherProgram } from '../read/programs.js';
import { countTypes, foreignProviders, whyUnread } from '../read/providers.js';
import type { TerraformResource, TerraformStackJson } from '../read/terraform-json.js';
import { toBoolean } from '../rules/reading.js';

/** Files that Terraform loads and nobody here reads, and links to anything. */
const LOADED = /\.(?:tf|tofu|tofu\.json|tfvars|tfvars\.json)$/;

const ROWS: ReadonlyMap<string, Pick<Row, 'attributes'>> = new Map(
  [...TABLE, vpcEni, vpcNetworkAcl].map((row) => [row.type, row]),
);

/** Arguments that every resource can have. */
const ARGUMENTS = ['//', 'count', 'depends_on', 'for_each', 'lifecycle', 'provider'];

/** Types that compute values alone, or run nothing but programs, which are looked at. */
const HARMLESS =
  /^(?:null_resource|null_data_source|terraform_(?:data|remote_state)|(?:random|time|tls)_\w+)$/;

/** Tells whether a provider that nobody here knows makes a resource, or is asked for data: it can do anything. */
function isOfOthers({ kind, type }: TerraformResource): boolean {
  const isOfCloud = kind === 'resource' ? ROWS.has(type) : type.startsWith('volcengine');
  // A program of its own is named as one.
  return !isOfCloud && !HARMLESS.test(type) && type !== 'external';
}

/** Blocks that declare and open nothing themselves; those of a kind that is not listed can do anything. */
const DECLARING: ReadonlySet<string> = new Set(
  '// import locals moved output provider terraform variable'.split(' '),
);

/** Tells whether a block can open something, or leave it open: an object that is let go of stays as it is. */
function canOpen({ kind, body }: Block): boolean {
  if (kind === 'check') return 'data' in body;
  if (kind !== 'removed') return kind !== 'module' && !DECLARING.has(kind);
  const [lifecycle] = list(body.lifecycle);
  return 'provisioner' in body || toBoolean(object(lifecycle).destroy) === false;
}

/** Labels; and the firewall itself moves the positions of policies when others are put between them. */
const CARRIES_NOTHING = /^(?:tags|description|remark|project_name|prio)$/;

function unreadOf({ address, type, body }: TerraformResource): string[] {
  const row = ROWS.get(type);
  if (row === undefined) return [];
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

/** Names a resource of a type that nobody here knows, and counts several. */
function unreadTypes(all: readonly TerraformResource[]): string[] {
  const [first, ...more] = all;
  if (first === undefined) return [];
  return more.length === 0
    ? [`${first.address}: ${whyUnread(first.type)}`]
    : [`${countTypes(all)}: their types are not read`];
}

/** Lists the parts of a stack that can open or close anything, as clauses. */
export function unreadParts(stack: TerraformStackJson): string[] {
  const { resources, blocks, files } = stack;
  return [
    ...foreignProviders(stack),
    ...resources
      .filter(runsOtherProgram)
      .map(({ address }) => `${address}: it runs a program, which can open anything`),
    ...unreadTypes(resources.filter(isOfOthers)),
    ...resources.filter(({ kind }) => kind === 'resource').flatMap(unreadOf),
    ...[...blocks]
      .filter(([, { kind }]) => kind === 'module')
      .map(([name]) => `${name}: a module can open anything`),
    ...[...blocks].filter(([, block]) => canOpen(block)).map(([name]) => `${name}: it is not read`),
    ...files
      .filter(({ where, isOutside }) => isOutside === true || LOADED.test(where))
      .map(({ where, why }) => `${where}: ${why}`),
  ];
}
