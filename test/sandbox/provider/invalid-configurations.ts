/** The step at which Terraform refuses a configuration; `accepted` is refused nowhere. */
export type Step = 'validate' | 'plan' | 'apply' | 'accepted';

/** Objects of the cloud for configurations to refer to. */
export interface Existing {
  readonly vpc: string;
  readonly subnet: string;
  readonly group: string;
  readonly balancer: string;
  readonly servers: string;
  readonly zone: string;
}

export interface InvalidConfiguration {
  readonly type: string;
  readonly what: string;
  readonly body: object;
  /** As measured on the genuine provider, version 0.0.53. */
  readonly step: Step;
}

const long = (length: number) => 'a'.repeat(length);

const RULE = {
  direction: 'ingress',
  policy: 'accept',
  protocol: 'tcp',
  port_start: 443,
  port_end: 443,
  priority: 10,
  cidr_ip: '10.0.0.0/8',
  prefix_list_id: '',
  source_group_id: '',
  description: 'calls',
};

const POLICY = {
  action: 'accept',
  destination: '10.0.0.1/32',
  destination_type: 'net',
  direction: 'out',
  proto: 'TCP',
  source: '10.0.0.2/32',
  source_type: 'net',
};

const SERVER = {
  instance_id: '10.20.1.9',
  ip: '10.20.1.9',
  type: 'ip',
  port: 80,
  weight: 1,
  description: '',
};

/** Configurations of the table's types that must not become anything. */
export function invalidConfigurations(existing: Existing): InvalidConfiguration[] {
  const { vpc, subnet, group, balancer, servers, zone } = existing;
  const rule = (facts: object) => ({ vpc_id: vpc, ingress_permissions: [{ ...RULE, ...facts }] });
  const listener = (facts: object) => ({
    load_balancer_id: balancer,
    server_group_id: servers,
    port: 7000,
    protocol: 'TCP',
    ...facts,
  });
  const list = (facts: object) => ({ max_entries: 5, ...facts });
  const book = (facts: object) => ({
    group_name: 'b',
    group_type: 'ip',
    address_list: ['10.0.0.1'],
    ...facts,
  });
  const of =
    (type: string) =>
    (step: Step, what: string, body: object): InvalidConfiguration => ({ type, what, body, step });
  const vpcs = of('volcenginecc_vpc_vpc');
  const subnets = of('volcenginecc_vpc_subnet');
  const groups = of('volcenginecc_vpc_security_group');
  const lists = of('volcenginecc_vpc_prefix_list');
  const endpoints = of('volcenginecc_privatelink_vpc_endpoint');
  const services = of('volcenginecc_privatelink_endpoint_service');
  const connections = of('volcenginecc_privatelink_vpc_endpoint_connection');
  const balancers = of('volcenginecc_clb_clb');
  const listeners = of('volcenginecc_clb_listener');
  const serverGroups = of('volcenginecc_clb_server_group');
  const acls = of('volcenginecc_clb_acl');
  const books = of('volcenginecc_fwcenter_address_book');
  const policies = of('volcenginecc_fwcenter_control_policy');
  const zones = of('volcenginecc_privatezone_private_zone');
  const records = of('volcenginecc_privatezone_record');
  return [
    vpcs('validate', 'a name of 129 bytes', { vpc_name: long(129) }),
    vpcs('validate', 'a Chinese name of 43 characters', { vpc_name: '名'.repeat(43) }),
    vpcs('validate', 'an empty name', { vpc_name: '' }),
    vpcs('validate', 'six name servers', {
      dns_servers: [1, 2, 3, 4, 5, 6].map((last) => `10.0.0.${last}`),
    }),
    vpcs('validate', 'a tag without a key', { tags: [{ value: 'v' }] }),
    vpcs('validate', 'a misspelled attribute', { vpc_nmae: 'a' }),
    vpcs('apply', 'a CIDR that is none', { cidr_block: '10.0.0.0/33' }),
    vpcs('apply', 'a tag key of 129 bytes', { tags: [{ key: long(129), value: 'v' }] }),
    vpcs('apply', '21 tags', {
      tags: Array.from({ length: 21 }, (_, index) => ({ key: `k${index}`, value: 'v' })),
    }),
    subnets('validate', 'no zone', { vpc_id: vpc, cidr_block: '10.20.9.0/24' }),
    subnets('apply', 'a CIDR outside its VPC', {
      vpc_id: vpc,
      cidr_block: '10.99.9.0/24',
      zone_id: 'cn-beijing-a',
    }),
    subnets('apply', 'a zone of another region', {
      vpc_id: vpc,
      cidr_block: '10.20.9.0/24',
      zone_id: 'cn-shanghai-a',
    }),
    subnets('apply', 'a VPC that is not there', {
      vpc_id: 'vpc-gone',
      cidr_block: '10.20.9.0/24',
      zone_id: 'cn-beijing-a',
    }),
    groups('validate', 'a rule without a policy', rule({ policy: null })),
    groups('validate', 'a rule without ports', rule({ port_start: null, port_end: null })),
    groups('validate', 'a rule without a description', rule({ description: null })),
    groups('validate', 'a priority with a fraction', rule({ priority: 1.5 })),
    groups('validate', 'a priority that is no number', rule({ priority: 'first' })),
    groups('apply', 'an unknown policy', rule({ policy: 'allow' })),
    groups('apply', 'an unknown protocol', rule({ protocol: 'sctp' })),
    groups('apply', 'a priority of 101', rule({ priority: 101 })),
    groups('apply', 'a port of 70000', rule({ port_end: 70000 })),
    groups('apply', 'a CIDR that is none', rule({ cidr_ip: '10.0.0.0' })),
    groups('apply', 'a rule without a peer', rule({ cidr_ip: '' })),
    groups(
      'apply',
      'a prefix list that is not there',
      rule({ cidr_ip: '', prefix_list_id: 'pl-gone' }),
    ),
    groups('validate', 'no VPC', { security_group_name: 'g' }),
    lists('validate', 'no room', list({ max_entries: 0 })),
    lists('validate', 'room for 201', list({ max_entries: 201 })),
    lists(
      'validate',
      'an entry without a CIDR',
      list({ prefix_list_entries: [{ description: 'd' }] }),
    ),
    lists('apply', 'a family that is none', list({ ip_version: 'IPv5' })),
    lists('apply', 'more entries than room', {
      max_entries: 1,
      prefix_list_entries: ['10.0.0.1/32', '10.0.0.2/32'].map((cidr) => ({
        cidr,
        description: '',
      })),
    }),
    endpoints('apply', 'no zones', { vpc_id: vpc, security_group_ids: [group] }),
    endpoints('apply', 'six security groups', {
      vpc_id: vpc,
      service_id: 'epsvc-sandbox',
      security_group_ids: [1, 2, 3, 4, 5, 6].map((last) => `sg-${last}`),
      zones: [{ subnet_id: subnet, zone_id: 'cn-beijing-a' }],
    }),
    endpoints('apply', 'a service that is not there', {
      vpc_id: vpc,
      service_id: 'epsvc-gone',
      security_group_ids: [group],
      zones: [{ subnet_id: subnet, zone_id: 'cn-beijing-a' }],
    }),
    endpoints('accepted', 'a misspelled attribute of a zone', {
      vpc_id: vpc,
      service_id: 'epsvc-sandbox',
      security_group_ids: [group],
      zones: [{ subnet_id: subnet, zone_id: 'cn-beijing-a', adress: '10.20.1.7' }],
    }),
    services('apply', 'an unknown payer', {
      payer: 'Nobody',
      resources: [{ resource_id: balancer }],
    }),
    services('apply', 'a resource that is not there', { resources: [{ resource_id: 'clb-gone' }] }),
    connections('validate', 'no endpoint', { service_id: 'epsvc-1' }),
    connections('validate', 'a bandwidth of 1', { service_id: 's', endpoint_id: 'e', bps: 1 }),
    connections('apply', 'an endpoint that is not there', { service_id: 's', endpoint_id: 'e' }),
    balancers('apply', 'an unknown type', { type: 'open', subnet_id: subnet }),
    balancers('apply', 'a billing of 4', {
      type: 'private',
      subnet_id: subnet,
      load_balancer_billing_type: 4,
    }),
    listeners('validate', 'an unknown protocol', listener({ protocol: 'SCTP' })),
    listeners('validate', 'a port of 70000', listener({ port: 70000 })),
    listeners(
      'validate',
      'a health check every 301 s',
      listener({ health_check: { interval: 301 } }),
    ),
    listeners('apply', 'an ACL type that is none', listener({ acl_type: 'grey' })),
    listeners('apply', 'a balancer that is not there', listener({ load_balancer_id: 'clb-gone' })),
    serverGroups('validate', 'a server without a type', {
      load_balancer_id: balancer,
      servers: [{ ...SERVER, type: null }],
    }),
    serverGroups('validate', 'a weight of 101', {
      load_balancer_id: balancer,
      servers: [{ ...SERVER, weight: 101 }],
    }),
    acls('validate', '301 entries', {
      acl_entries: Array.from({ length: 301 }, (_, index) => ({
        entry: `10.${Math.floor(index / 256)}.${index % 256}.0/24`,
        description: '',
      })),
    }),
    acls('apply', 'an entry that is no CIDR', {
      acl_entries: [{ entry: 'here', description: '' }],
    }),
    books('validate', 'a Chinese name of 22 characters', book({ group_name: '名'.repeat(22) })),
    books('validate', 'an unknown kind', book({ group_type: 'host' })),
    policies('validate', 'an unknown action', { ...POLICY, action: 'drop' }),
    policies('validate', 'no source', { ...POLICY, source: null }),
    policies('apply', 'a kind of port that is none', {
      ...POLICY,
      dest_port: '443',
      dest_port_type: 'range',
    }),
    zones('validate', 'a VPC without a region', {
      zone_name: 'a.example.com',
      vpcs: [{ vpc_id: vpc }],
    }),
    zones('apply', 'a name that is no domain', { zone_name: 'nowhere' }),
    records('validate', 'a TTL that is no number', {
      host: '@',
      type: 'A',
      value: '10.0.0.1',
      zid: Number(zone),
      ttl: 'long',
    }),
    records('apply', 'an address that is none', {
      host: '@',
      type: 'A',
      value: 'here',
      zid: Number(zone),
    }),
    records('apply', 'an unknown type', {
      host: '@',
      type: 'SRV',
      value: '10.0.0.1',
      zid: Number(zone),
    }),
  ];
}
