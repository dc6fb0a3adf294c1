import type { TerraformResource } from '../../../src/reach/read/terraform-json.js';
import type { randomOf } from '../two-engines.js';

type Random = ReturnType<typeof randomOf>;

/** A root with modules three deep, and the same objects as a stack without any. */
export interface RandomRoot {
  readonly what: string;
  /** Files by their paths. */
  readonly files: Readonly<Record<string, string>>;
  readonly flat: readonly TerraformResource[];
  /** A plan in HCL shows what is referred to and not how: answers about these may be undecided. */
  readonly isAmbiguous: (address: string) => boolean;
}

const KEYS = ['team.app', 'team/app', 'a b', 'say "hi"', 'x', '0'];
const CIDRS = ['0.0.0.0/0', '10.20.0.0/16', '10.20.128.0/17', '198.51.100.7/32', '192.0.2.0/24'];
const GROUP = 'volcenginecc_vpc_security_group';
const ENDPOINT = 'volcenginecc_privatelink_vpc_endpoint';
const LIST = 'volcenginecc_vpc_prefix_list';
export const PROBED = ['10.20.0.1', '10.20.200.1', '198.51.100.7', '192.0.2.9', '203.0.113.7'];
export const PORTS = [22, 80, 443];

interface Rule {
  readonly cidr: string;
  readonly port: number;
  readonly policy: string;
  readonly priority: number;
}

/** What the calls of the innermost module have in common, beside their own rules. */
interface Design {
  readonly keys: readonly string[];
  readonly rules: Readonly<Record<string, readonly Rule[]>>;
  readonly doors: number;
  readonly hasList: boolean;
  readonly hasShared: boolean;
  /** The endpoint is in the shared group as well. */
  readonly isInBoth: boolean;
  readonly isSpelled: boolean;
}

export function randomRoot(random: Random): RandomRoot {
  const keys = KEYS.filter(() => random.next(2) === 0).slice(0, 3);
  const rule = (): Rule => ({
    cidr: random.pick(CIDRS as [string, ...string[]]),
    port: random.pick([22, 80, 443]),
    policy: random.pick(['accept', 'accept', 'drop']),
    priority: random.pick([1, 10]),
  });
  const some = () => [rule(), rule(), rule()].slice(0, 1 + random.next(3));
  const design: Design = {
    keys: keys.length === 0 ? ['x'] : keys,
    rules: Object.fromEntries(KEYS.map((key) => [key, some()])),
    doors: 1 + random.next(2),
    hasList: random.next(2) === 0,
    hasShared: random.next(2) === 0,
    isInBoth: random.next(2) === 0,
    isSpelled: random.next(2) === 0,
  };
  const isJson = random.next(3) === 0;
  return {
    what: `${isJson ? 'JSON' : 'HCL'} ${JSON.stringify(design)}`,
    files: isJson ? jsonFiles(design) : hclFiles(design),
    flat: flatOf(design, isJson),
    isAmbiguous: (address) =>
      !isJson &&
      (address.includes('.own[') || (!design.isSpelled && design.hasList && design.hasShared)),
  };
}

const SOURCE = 'volcengine/volcenginecc';
const REQUIRED = `terraform {
  required_providers {
    volcenginecc = { source = "${SOURCE}" }
  }
}
`;

/** Other members of a rule, as its text in HCL. */
function permission(peer: string, port: string, more: string): string {
  return `{ ${peer}, protocol = "tcp", port_start = ${port}, port_end = ${port}, direction = "ingress", description = "", ${more} }`;
}

function hclFiles({ isSpelled, ...design }: Design): Record<string, string> {
  const peer = (name: string, value: string) => {
    const others = ['cidr_ip', 'source_group_id', 'prefix_list_id'].filter((one) => one !== name);
    const rest = isSpelled ? others.map((one) => `, ${one} = ""`).join('') : '';
    return `${name} = ${value}${rest}`;
  };
  const accept = 'policy = "accept", priority = 5';
  const rules = [
    `[for r in var.rules : ${permission(peer('cidr_ip', 'r.cidr'), 'r.port', 'policy = r.policy, priority = r.priority')}]`,
    ...(design.hasList
      ? [`[${permission(peer('prefix_list_id', 'var.list'), '443', accept)}]`]
      : []),
    ...(design.hasShared
      ? [`[${permission(peer('source_group_id', 'var.shared'), '80', accept)}]`]
      : []),
  ];
  const rulesOf = (key: string) =>
    `[${(design.rules[key] ?? [])
      .map(
        (one) =>
          `{ cidr = "${one.cidr}", port = ${one.port}, policy = "${one.policy}", priority = ${one.priority} }`,
      )
      .join(', ')}]`;
  const passed = ['rules', 'given', 'list', 'shared']
    .map((one) => `${one} = var.${one}`)
    .join('\n  ');
  const variables = ['rules', 'given', 'list', 'shared']
    .map((one) => `variable "${one}" {}\n`)
    .join('');
  const inner = (name: string, more = '') =>
    `${variables}module "${name}" {\n  source = "../${name}"\n  ${passed}\n  ${more}\n}\n`;
  return {
    'main.tf': `${REQUIRED}
provider "volcenginecc" {
  region = "cn-beijing"
}
${sharedHcl(permission('cidr_ip = "192.0.2.0/24"', '22', accept))}
module "team" {
  source   = "./team"
  for_each = {
${design.keys.map((key) => `    ${JSON.stringify(key)} = ${rulesOf(key)}`).join('\n')}
  }
  rules = each.value
  given = {
    vpc    = volcenginecc_vpc_vpc.v.id
    subnet = volcenginecc_vpc_subnet.s.subnet_id
  }
  list   = ${LIST}.p.id
  shared = ${GROUP}.shared.id
}
resource "${GROUP}" "own" {
  for_each            = toset(["a.b", "a/b"])
  vpc_id              = volcenginecc_vpc_vpc.v.id
  security_group_name = "g"
  ingress_permissions = [${permission('cidr_ip = each.key == "a.b" ? "0.0.0.0/0" : "10.20.0.0/16"', '443', accept)}]
}
resource "${ENDPOINT}" "own" {
  for_each           = ${GROUP}.own
  endpoint_name      = "e"
  service_id         = "epsvc-sandbox"
  vpc_id             = each.value.vpc_id
  security_group_ids = [${GROUP}.own[each.key].id]
  zones              = [{ zone_id = "cn-beijing-a", subnet_id = volcenginecc_vpc_subnet.s.id }]
}
`,
    'team/main.tf': inner('edge', `count = ${design.doors}`),
    'edge/main.tf': inner('door'),
    'door/main.tf': `${REQUIRED}${variables}
resource "${GROUP}" "g" {
  vpc_id              = var.given.vpc
  security_group_name = "g"
  ingress_permissions = concat(${rules.join(', ')})
}
resource "${ENDPOINT}" "e" {
  endpoint_name      = "e"
  service_id         = "epsvc-sandbox"
  vpc_id             = var.given.vpc
  security_group_ids = ${design.isInBoth ? `[${GROUP}.g.id, var.shared]` : `[${GROUP}.g.id]`}
  zones              = [{ zone_id = "cn-beijing-a", subnet_id = var.given.subnet }]
}
`,
  };
}

function sharedHcl(rule: string): string {
  return `resource "volcenginecc_vpc_vpc" "v" {
  vpc_name   = "v"
  cidr_block = "10.20.0.0/16"
}
resource "volcenginecc_vpc_subnet" "s" {
  vpc_id      = volcenginecc_vpc_vpc.v.id
  zone_id     = "cn-beijing-a"
  cidr_block  = "10.20.0.0/24"
  subnet_name = "s"
}
resource "${LIST}" "p" {
  prefix_list_name    = "p"
  ip_version          = "IPv4"
  max_entries         = 5
  prefix_list_entries = [{ cidr = "203.0.113.0/24", description = "" }]
}
resource "${GROUP}" "shared" {
  vpc_id              = volcenginecc_vpc_vpc.v.id
  security_group_name = "g"
  ingress_permissions = [${rule}]
}
`;
}

/** In JSON each rule is written; those of the keys are variables of one module for each of them. */
function jsonFiles(design: Design): Record<string, string> {
  const json = (value: object) => JSON.stringify(value);
  const required = { required_providers: { volcenginecc: { source: SOURCE } } };
  const variable = { cidrs: {}, given: {}, list: {}, shared: {} };
  const pass = Object.fromEntries(Object.keys(variable).map((one) => [one, `\${var.${one}}`]));
  const call = (name: string, more = {}) =>
    json({ variable, module: { [name]: { source: `../${name}`, ...pass, ...more } } });
  const cidrsOf = (key: string) => (design.rules[key] ?? []).map(({ cidr }) => cidr);
  const [first = 'x'] = design.keys;
  const own = (design.rules[first] ?? []).map((one, i) => ({
    ...one,
    cidr: `\${var.cidrs[${i}]}`,
  }));
  const padded = (key: string) => own.map((_, i) => cidrsOf(key)[i] ?? cidrsOf(key)[0] ?? '');
  return {
    'main.tf.json': json({
      terraform: required,
      provider: { volcenginecc: { region: 'cn-beijing' } },
      module: {
        team: {
          source: './team',
          for_each: Object.fromEntries(design.keys.map((key) => [key, padded(key)])),
          cidrs: '${each.value}',
          given: {
            vpc: '${volcenginecc_vpc_vpc.v.id}',
            subnet: '${volcenginecc_vpc_subnet.s.subnet_id}',
          },
          list: `\${${LIST}.p.id}`,
          shared: `\${${GROUP}.shared.id}`,
        },
      },
      resource: {
        [ENDPOINT]: {
          own: {
            ...{ for_each: `\${${GROUP}.own}`, endpoint_name: 'e', service_id: 'epsvc-sandbox' },
            vpc_id: '${each.value.vpc_id}',
            security_group_ids: [`\${${GROUP}.own[each.key].id}`],
            zones: [{ zone_id: 'cn-beijing-a', subnet_id: '${volcenginecc_vpc_subnet.s.id}' }],
          },
        },
      },
    }),
    'shared.tf': `${sharedHcl(permission('cidr_ip = "192.0.2.0/24"', '22', 'policy = "accept", priority = 5'))}
resource "${GROUP}" "own" {
  for_each            = toset(["a.b", "a/b"])
  vpc_id              = volcenginecc_vpc_vpc.v.id
  security_group_name = "g"
  ingress_permissions = [${permission('cidr_ip = each.key == "a.b" ? "0.0.0.0/0" : "10.20.0.0/16"', '443', 'policy = "accept", priority = 5')}]
}
`,
    'team/main.tf.json': call('edge', { count: design.doors }),
    'edge/main.tf.json': call('door'),
    'door/main.tf.json': json({
      terraform: required,
      variable,
      resource: {
        [GROUP]: {
          g: {
            vpc_id: '${var.given.vpc}',
            security_group_name: 'g',
            ingress_permissions: rulesOf(own, design, '${var.list}', '${var.shared}'),
          },
        },
        [ENDPOINT]: {
          e: {
            ...{ endpoint_name: 'e', service_id: 'epsvc-sandbox', vpc_id: '${var.given.vpc}' },
            security_group_ids: [
              `\${${GROUP}.g.id}`,
              ...(design.isInBoth ? ['${var.shared}'] : []),
            ],
            zones: [{ zone_id: 'cn-beijing-a', subnet_id: '${var.given.subnet}' }],
          },
        },
      },
    }),
  };
}

function rulesOf(
  rules: readonly Rule[],
  { hasList, hasShared }: Design,
  list: string,
  shared: string,
): object[] {
  const made = (peer: object, port: number, policy = 'accept', priority = 5) => ({
    ...{ protocol: 'tcp', port_start: port, port_end: port, policy, priority },
    ...{ direction: 'ingress', description: '', ...peer },
  });
  return [
    ...rules.map(({ cidr, port, policy, priority }) =>
      made({ cidr_ip: cidr }, port, policy, priority),
    ),
    ...(hasList ? [made({ prefix_list_id: list }, 443)] : []),
    ...(hasShared ? [made({ source_group_id: shared }, 80)] : []),
  ];
}

/** Both forms as Terraform expands them; in JSON the rules of all keys have the ports of the first. */
function flatOf(design: Design, isJson: boolean): TerraformResource[] {
  const id = (address: string) => `\${${address}.id}`;
  const vpc = id('volcenginecc_vpc_vpc.v');
  const zones = [{ zone_id: 'cn-beijing-a', subnet_id: id('volcenginecc_vpc_subnet.s') }];
  const make = (type: string, address: string, body: object): TerraformResource => ({
    ...{ kind: 'resource', type, address },
    body: { ...body },
  });
  const group = (address: string, ingress_permissions: object[]) =>
    make(GROUP, address, { vpc_id: vpc, security_group_name: 'g', ingress_permissions });
  const endpoint = (address: string, groups: string[]) =>
    make(ENDPOINT, address, {
      ...{ endpoint_name: 'e', service_id: 'epsvc-sandbox', vpc_id: vpc, zones },
      security_group_ids: groups.map(id),
    });
  const none = { ...design, hasList: false, hasShared: false };
  const one = (cidr: string, port: number) =>
    rulesOf([{ cidr, port, policy: 'accept', priority: 5 }], none, '', '');
  const [first = 'x'] = design.keys;
  const rulesFor = (key: string) => {
    const own = design.rules[key] ?? [];
    if (!isJson) return own;
    return (design.rules[first] ?? []).map((rule, i) => ({
      ...rule,
      cidr: own[i]?.cidr ?? own[0]?.cidr ?? '',
    }));
  };
  return [
    make('volcenginecc_vpc_vpc', 'volcenginecc_vpc_vpc.v', { cidr_block: '10.20.0.0/16' }),
    make('volcenginecc_vpc_subnet', 'volcenginecc_vpc_subnet.s', {
      ...{ vpc_id: vpc, cidr_block: '10.20.0.0/24', zone_id: 'cn-beijing-a' },
    }),
    make(LIST, `${LIST}.p`, {
      ...{ ip_version: 'IPv4' },
      prefix_list_entries: [{ cidr: '203.0.113.0/24', description: '' }],
    }),
    group(`${GROUP}.shared`, one('192.0.2.0/24', 22)),
    ...['a.b', 'a/b'].flatMap((key) => [
      group(`${GROUP}.own["${key}"]`, one(key === 'a.b' ? '0.0.0.0/0' : '10.20.0.0/16', 443)),
      endpoint(`${ENDPOINT}.own["${key}"]`, [`${GROUP}.own["${key}"]`]),
    ]),
    ...design.keys.flatMap((key) =>
      Array.from({ length: design.doors }, (_, i) => {
        const path = `module.team[${JSON.stringify(key)}].module.edge[${i}].module.door`;
        const own = `${path}.${GROUP}.g`;
        return [
          group(own, rulesOf(rulesFor(key), design, id(`${LIST}.p`), id(`${GROUP}.shared`))),
          endpoint(`${path}.${ENDPOINT}.e`, [own, ...(design.isInBoth ? [`${GROUP}.shared`] : [])]),
        ];
      }).flat(),
    ),
  ];
}
