/** A stack's Terraform JSON, to be tampered with in place. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is whatever a change makes of it
export type Json = any;

const type =
  (name: string) =>
  (json: Json): Json[] =>
    Object.values(json.resource[name] ?? {});
const groups = type('volcenginecc_vpc_security_group');
const [endpoints, services, connections] = [
  type('volcenginecc_privatelink_vpc_endpoint'),
  type('volcenginecc_privatelink_endpoint_service'),
  type('volcenginecc_privatelink_vpc_endpoint_connection'),
];
const [balancers, listeners, lists, servers] = [
  type('volcenginecc_clb_clb'),
  type('volcenginecc_clb_listener'),
  type('volcenginecc_clb_acl'),
  type('volcenginecc_clb_server_group'),
];
const policies = type('volcenginecc_fwcenter_control_policy');
const books = type('volcenginecc_fwcenter_address_book');
const prefixes = type('volcenginecc_vpc_prefix_list');
const [zones, records] = [
  type('volcenginecc_privatezone_private_zone'),
  type('volcenginecc_privatezone_record'),
];
const check = (json: Json): Json => json.resource.null_resource?.check;
const accepts = (json: Json) => policies(json).filter(({ action }) => action === 'accept');
const denies = (json: Json) => policies(json).filter(({ action }) => action === 'deny');

/** Changes what the check is told in all places at once, so that they agree. */
function toldOtherwise(json: Json, what: RegExp, by: string): boolean {
  const { value } = json.output.connectivity ?? json.output.connections;
  const told = value.replaceAll(what, by);
  Object.assign(
    json,
    JSON.parse(JSON.stringify(json), (_, one) => (one === value ? told : one)),
  );
  return told !== value;
}

/** Each changes `cdk.tf.json` alone; answers whether there was anything to change. */
type Attack = (json: Json) => unknown;

const each = <T>(all: readonly T[], change: (one: T) => void) => {
  for (const one of all) change(one);
  return all.length > 0;
};

export const ATTACKS: Readonly<Record<string, Attack>> = {
  'a rule for every address': (json) =>
    each(groups(json).slice(0, 1), (group) => {
      group.ingress_permissions.push({
        ...group.ingress_permissions[0],
        policy: 'accept',
        cidr_ip: '0.0.0.0/0',
        prefix_list_id: '',
        priority: 1,
      });
    }),
  'a rule for one more network': (json) =>
    each(groups(json).slice(0, 1), (group) => {
      group.ingress_permissions.push({
        ...group.ingress_permissions[0],
        policy: 'accept',
        cidr_ip: '172.16.0.0/24',
        prefix_list_id: '',
        priority: 1,
      });
    }),
  'drops that come too late': (json) =>
    each(
      groups(json).filter(({ egress_permissions: all }) =>
        all.some(({ policy }: Json) => policy === 'accept'),
      ),
      (group) => {
        group.egress_permissions = group.egress_permissions.filter(
          ({ policy }: Json) => policy === 'accept',
        );
      },
    ),
  'all rules of a direction gone': (json) =>
    each(groups(json), (group) => {
      group.egress_permissions = [];
    }),
  'a foreign group on the endpoint': (json) =>
    each(endpoints(json), (one) => one.security_group_ids.push('sg-foreign')),
  'another group on the endpoint': (json) =>
    each(endpoints(json), (one) => {
      one.security_group_ids = ['sg-foreign'];
    }),
  'no group on the endpoint': (json) =>
    each(endpoints(json), (one) => {
      one.security_group_ids = [];
    }),
  'another service': (json) =>
    each(endpoints(json), (one) => {
      one.service_name = 'com.example.epsvc-evil';
    }),
  'another VPC': (json) =>
    each(endpoints(json), (one) => {
      one.vpc_id = 'vpc-evil';
    }),
  'a foreign subnet': (json) =>
    each(endpoints(json), (one) => {
      one.zones[0].subnet_id = 'subnet-evil';
    }),
  'a subnet that only the deploy knows': (json) =>
    each(endpoints(json), (one) => {
      one.zones[0].subnet_id = '${var.subnet}';
    }),
  'a life cycle in a list': (json) =>
    each(groups(json), (one) => {
      one.lifecycle = [{ ...one.lifecycle, ignore_changes: ['ingress_permissions'] }];
    }),
  'every account': (json) =>
    each(services(json), (one) => {
      one.permit_account_ids = ['*'];
    }),
  'one more account': (json) =>
    each(services(json), (one) => one.permit_account_ids.push('2999999999')),
  'automatic acceptance': (json) =>
    each(services(json), (one) => {
      one.auto_accept_enabled = true;
    }),
  'another backend behind the service': (json) =>
    each(services(json), (one) => {
      one.resources = [{ resource_id: 'clb-evil' }];
    }),
  'another connection': (json) =>
    each(connections(json).slice(0, 1), (one) => {
      one.endpoint_id = 'ep-evil';
    }),
  'a connection without its conditions': (json) =>
    each(connections(json), (one) => {
      delete one.lifecycle;
    }),
  'a condition that refuses nothing': (json) =>
    each(connections(json), (one) => {
      one.lifecycle.precondition[0].condition = '${true}';
    }),
  'a public load balancer': (json) =>
    each(balancers(json), (one) => {
      one.type = 'public';
    }),
  'a public address for the load balancer': (json) =>
    each(balancers(json), (one) => {
      one.eip = { bandwidth: 10 };
    }),
  'an access list that is off': (json) =>
    each(listeners(json), (one) => {
      one.acl_status = 'off';
    }),
  'an access list that is black': (json) =>
    each(listeners(json), (one) => {
      one.acl_type = 'black';
    }),
  'a listener for all ports': (json) =>
    each(listeners(json), (one) => {
      one.start_port = 1;
      one.end_port = 65535;
    }),
  'one more entry in an access list': (json) =>
    each(lists(json), (one) => one.acl_entries.push({ entry: '10.0.0.0/8', description: '' })),
  'another server': (json) =>
    each(servers(json), (one) => {
      one.servers[0].ip = '10.40.1.99';
    }),
  'another port of a server': (json) =>
    each(servers(json), (one) => {
      one.servers[0].port = 22;
    }),
  'any port of the servers': (json) =>
    each(servers(json), (one) => {
      one.any_port_enabled = 'on';
    }),
  'a deny that is disabled': (json) =>
    each(denies(json), (one) => {
      one.status = false;
    }),
  'a deny that holds at times': (json) =>
    each(denies(json), (one) => {
      one.repeat_type = 'Daily';
    }),
  'a deny that only watches': (json) =>
    each(denies(json), (one) => {
      one.action = 'monitor';
    }),
  'a deny for other ports': (json) =>
    each(denies(json), (one) => {
      one.dest_port = '9999';
    }),
  'a deny for some addresses': (json) =>
    each(denies(json), (one) => {
      one.source = '10.0.0.0/8';
    }),
  'no deny': (json) => {
    for (const [name, one] of Object.entries<Json>(
      json.resource.volcenginecc_fwcenter_control_policy ?? {},
    )) {
      if (one.action === 'deny') delete json.resource.volcenginecc_fwcenter_control_policy[name];
    }
    return policies(json).length > 0;
  },
  'an accept for more ports': (json) =>
    each(accepts(json), (one) => {
      one.dest_port = '1/65535';
    }),
  'an accept of a country': (json) =>
    each(accepts(json), (one) => {
      one.source_type = 'location';
      one.source = 'CN';
    }),
  'one more address in a book': (json) =>
    each(books(json), (one) =>
      one.address_detail_list.push({ address: '36.9.9.9/32', description: '' }),
    ),
  'a book that fills itself': (json) =>
    each(books(json), (one) => {
      one.auto_update_type = 'Tag';
      one.tags = [{ key: 'a', value: 'b' }];
    }),
  'one more entry in a prefix list': (json) =>
    each(prefixes(json), (one) =>
      one.prefix_list_entries.push({ cidr: '36.9.9.9/32', description: '' }),
    ),
  'another value of a name': (json) =>
    each(records(json), (one) => {
      one.value = '203.0.113.9';
    }),
  'another network for a zone': (json) =>
    each(zones(json), (one) => one.vpcs.push({ region: 'cn-beijing', vpc_id: 'vpc-evil' })),
  'another zone': (json) =>
    each(zones(json), (one) => {
      one.zone_name = 'com';
    }),
  'preventDestroy off': (json) =>
    each([...endpoints(json), ...services(json)], (one) => {
      one.lifecycle.prevent_destroy = false;
    }),
  'rules that Terraform ignores': (json) =>
    each(groups(json), (one) => {
      one.lifecycle.ignore_changes = ['ingress_permissions'];
    }),
  'a remembered value that follows': (json) =>
    each(type('terraform_data')(json), (one) => {
      delete one.lifecycle;
    }),
  'a check that is gone': (json) => check(json) && delete json.resource.null_resource,
  'a check that does not fail the deploy': (json) => check(json)?.provisioner.splice(1, 1),
  'a check that changes of access do not run': (json) => {
    if (check(json)) check(json).triggers.access = 'constant';
    return check(json);
  },
  'a check that changes of access do not run, with the output': (json) => {
    if (check(json)) check(json).triggers.access = 'constant';
    json.output['rules-digest'].value = 'constant';
    return check(json);
  },
  'a check that another key pair does not run': (json) => {
    if (check(json)) check(json).triggers.keys = 'constant';
    return check(json);
  },
  'a preflight without its triggers': (json) => {
    const first: Json = json.resource.null_resource?.check_preflight_1079DCB5;
    if (first) first.triggers = {};
    return first;
  },
  'a preflight that lets every place through': (json) => {
    const first: Json = json.resource.null_resource?.check_preflight_1079DCB5;
    const step = first?.provisioner[0]['local-exec'];
    step?.interpreter.splice(4, 0, '0.0.0.0/0');
    return first;
  },
  'digests of other rules in the links': (json) => {
    const text = JSON.stringify(json);
    const tampered = text.replaceAll(/(rulesDigest\\":\\")[0-9a-f]{64}/g, `$1${'0'.repeat(64)}`);
    Object.assign(json, JSON.parse(tampered));
    return tampered !== text;
  },
  'a check in the form of a module’s, of other links': (json) => {
    const step = check(json)?.provisioner[0]['local-exec'];
    if (step === undefined) return false;
    const words: string[] = step.interpreter;
    const from = words.indexOf('--report-only');
    step.interpreter = [...words.slice(0, from), '--title'];
    const told: string = step.environment.SECURE_CONNECTIVITY_LINKS;
    step.environment.SECURE_CONNECTIVITY_LINKS = told.replaceAll('api.', 'evil.');
    check(json).provisioner = [{ 'local-exec': step }];
    return true;
  },
  'a check that calls elsewhere': (json) =>
    check(json)?.provisioner[0]['local-exec'].interpreter.splice(4, 0, '--connect-to', '127.0.0.1'),
  'a check that continues on failure': (json) => {
    const step = check(json)?.provisioner[1]?.['local-exec'];
    if (step) step.on_failure = 'continue';
    return step;
  },
  'another program than the check': (json) => {
    const step = check(json)?.provisioner[0]['local-exec'];
    if (step) step.interpreter[1] = './evil.js';
    return step;
  },
  'a program beside the check': (json) =>
    check(json)?.provisioner.push({ 'local-exec': { command: 'curl https://example.com' } }),
  'another key for the check': (json) => {
    const step = check(json)?.provisioner[0]['local-exec'];
    if (step) step.environment.SECURE_CONNECTIVITY_PRIVATE_KEY_FILE = '../other.pem';
    return step;
  },
  'plain http in the links': (json) => {
    const text = JSON.stringify(json);
    const tampered = JSON.parse(text.replaceAll('https://${', 'http://${'));
    for (const key of Object.keys(json)) json[key] = tampered[key];
    return JSON.stringify(json) !== text;
  },
  'other addresses that the check accepts': (json) => {
    const text = JSON.stringify(json);
    const tampered = JSON.parse(
      text
        .replaceAll('\\"expectedNetworks\\":[', '\\"expectedNetworks\\":[\\"10.99.0.0/16\\",')
        .replaceAll(',]', ']'),
    );
    for (const key of Object.keys(json)) json[key] = tampered[key];
    return JSON.stringify(json) !== text;
  },
  'another region': (json) => {
    json.provider.volcenginecc[0].region = 'cn-shanghai';
    return true;
  },
  'another endpoint of the cloud': (json) => {
    json.provider.volcenginecc[0].endpoints = { cloudcontrolapi: 'evil.example' };
    return true;
  },
  'another role': (json) => {
    json.provider.volcenginecc[0].assume_role = { assume_role_trn: 'trn:evil' };
    return true;
  },
  'a second provider': (json) =>
    json.provider.volcenginecc.push({ alias: 'other', region: 'cn-beijing' }),
  'a provider of another source': (json) => {
    json.terraform.required_providers.volcenginecc.source = 'evil/volcenginecc';
    return true;
  },
  'no state of its own': (json) => {
    delete json.terraform;
    return true;
  },
  'the registry’s own provider of the name': (json) => {
    delete json.terraform.required_providers.volcenginecc;
    return true;
  },
  'a provider under a name that looks alike': (json) => {
    const { volcenginecc, ...rest } = json.terraform.required_providers;
    json.terraform.required_providers = { ...rest, volсenginecc: volcenginecc };
    return true;
  },
  'a check that no longer runs at every deploy': (json) => {
    if (check(json)?.triggers.deployed) check(json).triggers.deployed = null;
    return check(json)?.triggers.deployed === null;
  },
  'an IP family that only the deploy knows': (json) =>
    each(balancers(json), (one) => {
      one.address_ip_version = '${trimspace("DualStack")}';
    }),
  'ports on a drop of every protocol': (json) =>
    each(groups(json), (one) => {
      for (const rule of one.egress_permissions)
        if (rule.policy === 'drop')
          Object.assign(rule, { port_start: 1, port_end: 1, description: '' });
    }),
  'a key beside a condition': (json) =>
    each(connections(json), (one) => {
      one.lifecycle.precondition[0]['${lower("CONDITION")}'] = '${true}';
    }),
  'a key beside a move': (json) => {
    const move = { from: 'terraform_data.former', to: 'terraform_data.present' };
    json.moved = [{ ...move, '${lower("TO")}': 'volcenginecc_vpc_vpc.x' }];
    return json.moved;
  },
  'a key in a health check': (json) =>
    each(
      listeners(json).filter((one) => one.health_check),
      (one) => {
        one.health_check['${lower("ENABLED")}'] = 'off';
      },
    ),
  'a health check of a port that nobody serves': (json) =>
    each(
      listeners(json).filter((one) => one.health_check),
      (one) => {
        one.health_check.port = 1;
      },
    ),
  'a health check that no server answers': (json) =>
    each(
      listeners(json).filter((one) => one.health_check),
      (one) => {
        one.health_check.http_code = 'http_5xx';
      },
    ),
  'state elsewhere': (json) => {
    json.terraform.backend = { s3: { bucket: 'evil' } };
    return true;
  },
  'a module': (json) => {
    json.module = { evil: { source: './evil' } };
    return true;
  },
  'an import': (json) => {
    json.import = [{ to: 'volcenginecc_vpc_vpc.x', id: 'vpc-1' }];
    return true;
  },
  'a resource that is forgotten': (json) => {
    json.removed = [{ from: 'volcenginecc_vpc_vpc.x', lifecycle: { destroy: false } }];
    return true;
  },
  'external data': (json) => {
    json.data = { ...json.data, external: { evil: { program: ['sh', '-c', 'true'] } } };
    return true;
  },
  'a resource of another type': (json) => {
    json.resource.volcenginecc_vpc_eip = { evil: { instance_id: 'i-1' } };
    return true;
  },
  'several instances': (json) => {
    for (const one of Object.values<Json>(json.resource))
      for (const body of Object.values<Json>(one)) body.count = 2;
    return true;
  },
  'a list of blocks with one more': (json) => {
    json.resource = [
      json.resource,
      { volcenginecc_vpc_security_group: { evil: { vpc_id: 'vpc-1' } } },
    ];
    return true;
  },
  'an address that only the deploy knows': (json) =>
    each(groups(json).slice(0, 1), (one) => {
      one.ingress_permissions[0].cidr_ip = '${data.external.evil.result.cidr}';
    }),
  'an address from a local': (json) =>
    each(groups(json).slice(0, 1), (one) => {
      json.locals = { everyone: '0.0.0.0/0' };
      one.ingress_permissions.push({
        ...one.ingress_permissions[0],
        policy: 'accept',
        priority: 1,
        prefix_list_id: '',
        cidr_ip: '${local.everyone}',
      });
    }),
  'an endpoint that does not wait for the preflight': (json) =>
    each(endpoints(json), (one) => {
      one.depends_on = one.depends_on.filter((name: string) => !name.startsWith('null_resource'));
    }),
  'a connection accepted before anyone looks at its owner': (json) =>
    each(connections(json), (one) => {
      one.depends_on = one.depends_on.filter((name: string) => !name.startsWith('data.'));
    }),
  'an endpoint that is replaced with every check': (json) =>
    each(endpoints(json), (one) => {
      one.lifecycle.replace_triggered_by = ['null_resource.check'];
    }),
  'an address from a variable that says the same': (json) =>
    each(groups(json).slice(0, 1), (one) => {
      json.variable = { cidr: { default: one.ingress_permissions[0].cidr_ip } };
      one.ingress_permissions[0].cidr_ip = '${var.cidr}';
    }),
  'an address from a file': (json) =>
    each(groups(json).slice(0, 1), (one) => {
      one.ingress_permissions[0].cidr_ip = '${file("../../cidr.txt")}';
    }),
  'a check that waits for nothing': (json) => {
    if (check(json)) check(json).depends_on = [];
    return check(json);
  },
  'a deny of no instance': (json) =>
    each(denies(json), (one) => {
      one.count = 0;
    }),
  'a program at the end of a group': (json) =>
    each(groups(json), (one) => {
      one.provisioner = [{ 'local-exec': { when: 'destroy', command: 'true' } }];
    }),
  'a module for the program of the check': (json) => {
    const step = check(json)?.provisioner[0]['local-exec'];
    if (step) step.environment.NODE_OPTIONS = '--require ./evil.js';
    return step;
  },
  'links that nothing checks': (json) => {
    const output = json.output?.connectivity;
    if (output) output.value = output.value.replace(/"links":\[.*\]/, '"links":[]');
    return output;
  },
  'another name for TLS in the links': (json) => {
    const output = json.output?.connectivity;
    if (output)
      output.value = output.value.replace('"via":', '"tlsServerName":"evil.example","via":');
    return output;
  },
  'rules that a dynamic block writes': (json) =>
    each(groups(json), (one) => {
      one.dynamic = { ingress_permissions: { for_each: ['0.0.0.0/0'], content: {} } };
    }),
  'a workspace of others': (json) => {
    json.terraform.cloud = { organization: 'evil', workspaces: { name: 'evil' } };
    return true;
  },
  'a key of a rule that Terraform evaluates': (json) =>
    each(groups(json).slice(0, 1), (group) => {
      group.ingress_permissions[0]['${lower("CIDR_IP")}'] = '0.0.0.0/0';
    }),
  'a key of a rule that nobody knows': (json) =>
    each(groups(json).slice(0, 1), (group) => {
      group.ingress_permissions[0].cidr_block = '0.0.0.0/0';
    }),
  'rules that an expression makes in a list': (json) =>
    each(groups(json).slice(0, 1), (group) => {
      group.ingress_permissions.push('${merge({policy = "accept"}, {})}');
    }),
  'a key of a zone that Terraform evaluates': (json) =>
    each(endpoints(json), (one) => {
      one.zones[0]['${lower("SUBNET_ID")}'] = 'subnet-foreign';
    }),
  'servers that an expression makes': (json) =>
    each(servers(json), (one) => {
      one.servers = ['${jsondecode("{}")}'];
    }),
  'a local whose keys Terraform evaluates': (json) =>
    each(lists(json), (one) => {
      const [entry] = one.acl_entries;
      json.locals = { own: { entry: entry.entry, '${lower("ENTRY")}': '0.0.0.0/0' } };
      entry.entry = '${local.own.entry}';
    }),
  'an output that shows a file of the machine that deploys': (json) => {
    json.output.note = { value: '${file(pathexpand("~/.volcengine/config"))}' };
    return true;
  },
  'a label that shows a file of the machine that deploys': (json) =>
    each([...groups(json), ...lists(json)], (one) => {
      json.locals = { note: '${file("/etc/hostname")}' };
      one.description = '${local.note}';
    }),
  'another base URL for those who read the output': (json) => {
    const output = json.output['service-endpoint-base-url'];
    if (output) output.value = 'https://api.example.net';
    return output;
  },
  'another group for those who attach the output': (json) => {
    const names = Object.keys(json.output).filter((name) => name.endsWith('security-group-id'));
    for (const name of names) json.output[name].value = 'sg-foreign';
    return names.length > 0;
  },
  'another account for the check of the connections': (json) =>
    toldOtherwise(json, /"ownerAccountId":"\d+"/g, '"ownerAccountId":"2999999999"'),
  'no connections for the check': (json) =>
    toldOtherwise(json, /"connections":\[.*?\],"plugins"/g, '"connections":[],"plugins"'),
  'other servers for the check to dial': (json) =>
    toldOtherwise(json, /10\.40\.1\.5:8080/g, '169.254.169.254:80'),
  'other networks for the check to dial from': (json) =>
    toldOtherwise(json, /"networks":\["[^"]*"/g, '"networks":["0.0.0.0/0"'),
  'content for the check that is no JSON': (json) => toldOtherwise(json, /\}$/g, '}}'),
  'more content for the check': (json) => toldOtherwise(json, /\}$/g, ',"more":1}'),
  'a program of another package under the same file name': (json) => {
    const text = JSON.stringify(json);
    const moved = text.replaceAll('dist/cli/main.js', 'left-pad/dist/cli/main.js');
    Object.assign(json, JSON.parse(moved));
    return moved !== text;
  },
};

/** Each changes `access.json`, whose digest follows everywhere; answers whether there was anything to change. */
export const ACCESS_ATTACKS: Readonly<Record<string, (access: Json) => unknown>> = {
  'a rule that Terraform does not open': ({ rules }) =>
    rules.push({ ...rules[0], peer: { kind: 'cidr', cidr: '172.16.0.0/12' } }),
  'the same, said to be enforced elsewhere': ({ rules }) =>
    rules.push({
      ...rules[0],
      peer: { kind: 'cidr', cidr: '172.16.0.0/12' },
      enforcedElsewhere: 'the firewall of the office',
    }),
  'a rule that Terraform opens, said to be enforced elsewhere': ({ rules }) => {
    rules[0].enforcedElsewhere = 'the firewall of the office';
    return true;
  },
  'a rule for every port': ({ rules }) => {
    rules[0].ports = { first: 0, last: 65535 };
    return true;
  },
  'a rule left out': ({ rules }) => rules.shift(),
  'no rules': ({ rules }) => rules.splice(0),
  'a protocol that nobody knows': ({ rules }) => {
    rules[0].protocol = 'quic';
    return true;
  },
  'a peer that only the deploy knows': ({ rules }) => {
    rules[0].peer = { kind: 'cidr', cidr: '${var.cidr}' };
    return true;
  },
  'an exception for what is open': ({ rules }) => {
    rules[0].exception = { reason: 'haste', owner: 'nobody', expires: '2099-12-31' };
    return true;
  },
  'another address of the endpoint': ({ endpoints: all }) => {
    if (all) all[0].addresses = ['203.0.113.9'];
    return all;
  },
};
