import * as z from 'zod';
import { settingsSchema } from '../src/settings/schema.js';

interface Node {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly additionalProperties?: Node | boolean;
}

const STATE = [
  '## State',
  '',
  "Each stack of each environment has its own state, because two stacks in one state would destroy each other's resources. `state.config` says where the states are; the key comes from the name of the stack, for example `api-access-production`:",
  '',
  '| backend | field for the key | result with `"key": "net"` or similar | result without it |',
  '| --- | --- | --- | --- |',
  '| `s3` | `key` | `net/api-access-production.tfstate` | `api-access-production.tfstate` |',
  '| `http` | `address`, `lock_address`, `unlock_address` | `https://state.example/net/api-access-production` | `address` is required |',
  '| `pg` | `schema_name` | `net_api-access-production` | `api-access-production` |',
  '| `consul` | `path` | `net/api-access-production` | `api-access-production` |',
  '| `kubernetes` | `secret_suffix` | `net-api-access-production` | `api-access-production` |',
  '',
  'If the field contains `{stack}`, the name replaces it and nothing else is changed: `"address": "https://git.example/api/v4/projects/1/terraform/state/{stack}"`, `"lock_address": "https://git.example/api/v4/projects/1/terraform/state/{stack}/lock"`. The name is the id of the stack, followed by the environment (`CONNECTIVITY_ENV`) unless the id already ends with it. Synth fails if the backend would truncate or reject a key, or if two stacks would share a state. Other Terraform backends are refused in the settings; a stack of your own may use any.',
  '',
  'Credentials are refused in the settings, because they would end up in the synthesized JSON. Terraform reads them from the environment: `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`; `TF_HTTP_USERNAME` and `TF_HTTP_PASSWORD`; `PG_CONN_STR`, or `PGUSER` and `PGPASSWORD` with a `conn_str` that contains none; `CONSUL_HTTP_TOKEN`; `KUBE_TOKEN`.',
  '',
] as const;

/** The reference of the settings file, as Markdown, made from its schema. */
export function settingsReference(): string {
  const root = z.toJSONSchema(settingsSchema, { io: 'input' }) as Node;
  return [
    '# Settings',
    '',
    'Each environment has one file, `stacks/settings/<environment>.json`. `CONNECTIVITY_ENV` selects it; there is no default. The file contains no secrets. Every option is off until the file contains it. This page is generated.',
    '',
    '`[]` stands for an element of a list, `<key>` for a key that you choose. Where a value can take more than one form, the fields of each form are listed.',
    '',
    '| setting | required | value | meaning |',
    '| --- | --- | --- | --- |',
    ...rows(root, ''),
    '',
    ...STATE,
  ].join('\n');
}

function rows(node: Node, path: string): string[] {
  const required = new Set(node.required);
  const own = Object.entries(node.properties ?? {}).flatMap(([name, inner]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return [row(at, inner, required.has(name)), ...below(inner, at)];
  });
  return path === '' ? own : [...new Set(own)];
}

function below(node: Node, path: string): string[] {
  const forms = (node.anyOf ?? []).filter(({ properties }) => properties !== undefined);
  const keyed = typeof node.additionalProperties === 'object' ? node.additionalProperties : {};
  return [
    ...rows(node, path),
    ...forms.flatMap((form, index) => [
      `| \`${path}\`, form ${index + 1} | | ${Object.keys(form.properties ?? {})
        .map((name) => `\`${name}\``)
        .join(', ')} | |`,
      ...rows(form, path),
    ]),
    ...(node.items ? below(node.items, `${path}[]`) : []),
    ...keyedRows(keyed, `${path}.<key>`),
  ];
}

function keyedRows(node: Node, path: string): string[] {
  return node.properties ? rows(node, path) : [];
}

function row(path: string, node: Node, isRequired: boolean): string {
  const cells = [`\`${path}\``, isRequired ? 'yes' : 'no', valueText(node), node.description ?? ''];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function valueText(node: Node): string {
  const initial = node.default === undefined ? '' : `; default \`${JSON.stringify(node.default)}\``;
  return `${kindOf(node)}${initial}`;
}

function kindOf(node: Node): string {
  if (node.const !== undefined) return `\`${JSON.stringify(node.const)}\``;
  if (node.enum) return node.enum.map((one) => `\`${JSON.stringify(one)}\``).join(' or ');
  if (node.anyOf) return [...new Set(node.anyOf.map(kindOf))].join(' or ');
  if (node.items)
    return `list of ${kindOf(node.items).replace(/\b(string|object|number|integer)\b/g, '$1s')}`;
  if (typeof node.additionalProperties === 'object') return 'object by key';
  const { minimum, maximum } = node;
  const isBound = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return `${node.type ?? 'value'}${isBound ? ` ${minimum ?? 0} to ${maximum}` : ''}`;
}
