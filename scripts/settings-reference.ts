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
  "Each stack of each environment keeps a state of its own: two stacks in one state would destroy each other's resources. `state.config` says where the states are, and the name of the stack, `api-access-production` say, makes the key:",
  '',
  '| backend | the key is | from `"key": "net"` or the like | without |',
  '| --- | --- | --- | --- |',
  '| `s3` | `key` | `net/api-access-production.tfstate` | `api-access-production.tfstate` |',
  '| `http` | `address`, `lock_address`, `unlock_address` | `https://state.example/net/api-access-production` | `address` is required |',
  '| `pg` | `schema_name` | `net_api-access-production` | `api-access-production` |',
  '| `consul` | `path` | `net/api-access-production` | `api-access-production` |',
  '| `kubernetes` | `secret_suffix` | `net-api-access-production` | `api-access-production` |',
  '',
  'With `{stack}` in it, the field is taken as it is, with the name in that place: `"address": "https://git.example/api/v4/projects/1/terraform/state/{stack}"`, `"lock_address": "https://git.example/api/v4/projects/1/terraform/state/{stack}/lock"`. The name is the id of the stack; the environment (`CONNECTIVITY_ENV`) follows where the id does not end with it. A key that the backend would cut or refuse, and two stacks with one state, fail at synth. Other backends of Terraform are refused; a stack of your own may use any.',
  '',
  'Credentials are refused in the settings, because they would be in the synthesized JSON. Terraform reads them from the environment: `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`; `TF_HTTP_USERNAME` and `TF_HTTP_PASSWORD`; `PG_CONN_STR`, or `PGUSER` and `PGPASSWORD` with a `conn_str` that holds none; `CONSUL_HTTP_TOKEN`; `KUBE_TOKEN`.',
  '',
] as const;

/** The reference of the settings file, as Markdown, made from its schema. */
export function settingsReference(): string {
  const root = z.toJSONSchema(settingsSchema, { io: 'input' }) as Node;
  return [
    '# Settings',
    '',
    'One file for each environment, `stacks/settings/<environment>.json`; `CONNECTIVITY_ENV` chooses, and there is no default. It holds no secret. Every option is off until it is named. This page is generated.',
    '',
    '`[]` is a member of a list, `<key>` a key of your own. Where two forms are allowed, each has its fields.',
    '',
    '| setting | required | value | what |',
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
  if (node.items) return `list of ${kindOf(node.items)}`;
  if (typeof node.additionalProperties === 'object') return 'object by key';
  const { minimum, maximum } = node;
  const isBound = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return `${node.type ?? 'value'}${isBound ? ` ${minimum ?? 0} to ${maximum}` : ''}`;
}
