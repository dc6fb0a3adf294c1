import { findResourceRow, TABLE } from '../src/cloud/table/index.js';
import { READ_ONLY_ROWS } from '../src/cloud/table/read-only.js';

/** The resources of each option, which a test compares with the stacks; types without the provider's prefix. */
export const OPTIONS: readonly (readonly [string, readonly string[]])[] = [
  [
    '`network` and `serviceEndpoint` (private-network access to the API)',
    ['vpc_vpc', 'vpc_subnet', 'vpc_security_group', 'privatelink_vpc_endpoint'],
  ],
  [
    '`serviceEndpoint.privateZone`, in addition',
    ['privatezone_private_zone', 'privatezone_record'],
  ],
  ['`securityGroup` (fixed-IP access to the API or to a plugin)', ['vpc_security_group']],
  ['`prefixList`', ['vpc_prefix_list', 'vpc_security_group']],
  ['`cloudFirewall`', ['fwcenter_address_book', 'fwcenter_control_policy']],
  [
    '`pluginEndpointService` with an existing load balancer',
    ['privatelink_endpoint_service', 'privatelink_vpc_endpoint_connection'],
  ],
  [
    '`pluginEndpointService` with a new load balancer, in addition',
    [
      'vpc_vpc',
      'vpc_subnet',
      'vpc_security_group',
      'clb_clb',
      'clb_server_group',
      'clb_listener',
      'clb_acl',
    ],
  ],
];

const PREFIX = 'volcenginecc_';

/** The IAM actions that a deploy needs, as Markdown, computed from the resource table. */
export function permissionsReference(): string {
  return [
    '# IAM permissions',
    '',
    'This page lists what the identity that deploys must be allowed to do. It is generated from the resource table (`src/cloud/table`), which takes the actions from the registry of the cloud. The list actions are needed to search for objects that an interrupted deploy left behind ([interruptions](deploy.md#what-a-killed-deploy-leaves)). It is not known whether the Cloud Control API itself requires further actions; if the first deploy is refused, the error message names the action.',
    '',
    '| option | types |',
    '| --- | --- |',
    ...OPTIONS.map(
      ([option, types]) =>
        `| ${option} | ${types.map((type) => `[\`${type}\`](#${type})`).join(', ')} |`,
    ),
    '',
    ...permissionsFor(used()).flatMap(({ type, actions }) => section(type, actions)),
    '## Reading alone',
    '',
    'For `secure-connectivity reach --live` and `review --base live`, which call nothing but `ListResources` and `GetResource`:',
    '',
    '```json',
    JSON.stringify(readPermissions(used()), null, 2),
    '```',
    '',
    `They also read ${unlistedReads()}, for which the registry lists no actions. What the cloud refuses to tell is reported as not read.`,
    '',
  ].join('\n');
}

/** The types of the options; each is a type of the table. */
export function used(): string[] {
  const types = new Set(OPTIONS.flatMap(([, all]) => all.map((type) => PREFIX + type)));
  return TABLE.map(({ type }) => type).filter(
    (type, i, all) => types.has(type) && all.indexOf(type) === i,
  );
}

function section(type: string, actions: readonly string[]): string[] {
  const body =
    actions.length === 0
      ? 'The registry lists no actions for this type; if the first deploy is refused, the error message names them.'
      : ['```json', JSON.stringify(actions, null, 2), '```'].join('\n');
  return [`## ${type.slice(PREFIX.length)}`, '', body, ''];
}

/** The actions that the deploying identity needs for one type. */
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
  return [...new Set(types)].sort().flatMap((type) => {
    const row = findResourceRow(type);
    if (row === undefined) return [];
    const { deploy = [], list = [] } = row.actions ?? {};
    return [{ type, actions: [...new Set([...deploy, ...list])].sort() }];
  });
}

/** The types that are read alone and whose actions nobody lists. */
function unlistedReads(): string {
  return READ_ONLY_ROWS.filter(({ actions }) => actions === undefined)
    .map(({ type }) => `\`${type.slice(PREFIX.length)}\``)
    .join(', ');
}

/** The IAM actions that only read, for the types of a stack and for what acts on them. */
function readPermissions(types: Iterable<string>): string[] {
  const all = [
    ...permissionsFor(types),
    ...READ_ONLY_ROWS.map(({ actions }) => ({
      actions: [...(actions?.deploy ?? []), ...(actions?.list ?? [])],
    })),
  ].flatMap(({ actions }) => actions);
  return [...new Set(all)].filter((action) => /:(?:Describe|List|Query)/.test(action)).sort();
}
