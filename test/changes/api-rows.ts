import { rowsOf, type Settings, type SettingsChange } from './row.js';
import { FIXED_IP } from './settings.js';

/** One member of the settings, to be changed in place. */
export function part(settings: Settings, ...path: readonly string[]): Settings {
  return path.reduce((inner, name) => inner[name] as Settings, settings);
}

const set =
  (path: readonly string[], change: Settings): SettingsChange =>
  (settings) => {
    Object.assign(part(settings, ...path), change);
  };
const unset =
  (path: readonly string[], ...names: readonly string[]): SettingsChange =>
  (settings) => {
    for (const name of names) delete part(settings, ...path)[name];
  };
const all =
  (...changes: readonly SettingsChange[]): SettingsChange =>
  (settings, facts) => {
    for (const change of changes) change(settings, facts);
  };

const endpoint = (change: Settings) => set(['serviceEndpoint'], change);
const subnets = (change: Settings) => set(['network'], { subnets: change });
const mayBeReplaced = endpoint({ preventDestroy: false });
const withoutZone = endpoint({ privateZone: false });

/** The endpoint is protected by default: Terraform itself refuses, and nothing has changed. */
const protectedEndpoint = {
  refusedAt: 'plan',
  message: /Instance cannot be destroyed.*service-endpoint/,
} as const;

/** The zone of the API host is made anew, for the cloud lets no two of one name into a network. */
const REMADE = {
  way: 'service-endpoint-api-host',
  from: 'delete PrivateZone::Record',
  until: 'create PrivateZone::Record',
};

const lost = (way: string, from: string) => ({ way, from, until: 'never' });

/** The endpoint has its new address, and the record of the API host still the old one. */
const MOVED = {
  way: 'service-endpoint-api-host',
  from: 'update PrivateLink::VpcEndpoint',
  until: 'update PrivateZone::Record',
};

/** An existing VPC with a subnet in each of two zones. */
const existingNetwork =
  (pick: (ids: readonly [string, string]) => Settings): SettingsChange =>
  (settings, { existing }) => {
    settings.network = {
      vpcId: existing.vpcId,
      cidrs: ['10.20.0.0/16'],
      subnets: pick(existing.subnetIds),
    };
  };
const inExisting = existingNetwork(([a, b]) => ({
  'cn-beijing-a': { subnetId: a, cidr: '10.20.1.0/24' },
  'cn-beijing-b': { subnetId: b, cidr: '10.20.2.0/24' },
}));

export const TAGS = rowsOf('api-access', [
  { name: 'the value of a tag', head: set(['tags'], { owner: 'network' }) },
  { name: 'a tag added', head: set(['tags'], { cost: '42' }) },
  { name: 'a tag removed', head: unset(['tags'], 'ticket') },
  { name: 'all tags removed', head: (settings) => (settings.tags = {}) },
  {
    name: 'tags in another order',
    head: (settings) => (settings.tags = { ticket: 'NET-1', owner: 'platform' }),
    isNoOp: true,
  },
  { name: 'the default project named', head: set([], { project: 'default' }), isNoOp: true },
  {
    name: 'a project given to a protected endpoint',
    head: set([], { project: 'agents' }),
    outcome: protectedEndpoint,
  },
  {
    name: 'a project given',
    base: mayBeReplaced,
    head: set([], { project: 'agents' }),
    cut: [lost('service-endpoint', 'delete PrivateLink::VpcEndpoint'), REMADE],
  },
  {
    name: 'the project removed',
    base: all(mayBeReplaced, set([], { project: 'agents' })),
    head: unset([], 'project'),
    cut: [lost('service-endpoint', 'delete PrivateLink::VpcEndpoint'), REMADE],
  },
]);

export const NETWORK = rowsOf('api-access', [
  { name: 'the network renamed', head: set(['network'], { name: 'assistants' }) },
  {
    name: 'zones in another order',
    head: subnets({ 'cn-beijing-b': '10.20.2.0/24', 'cn-beijing-a': '10.20.1.0/24' }),
    isNoOp: true,
  },
  {
    name: 'a zone added',
    head: set(['network', 'subnets'], { 'cn-beijing-c': '10.20.3.0/24' }),
  },
  { name: 'a zone removed', head: unset(['network', 'subnets'], 'cn-beijing-b') },
  {
    name: 'the middle one of three zones removed',
    base: set(['network', 'subnets'], { 'cn-beijing-c': '10.20.3.0/24' }),
    head: unset(['network', 'subnets'], 'cn-beijing-b'),
  },
  {
    name: 'another CIDR for a subnet',
    head: set(['network', 'subnets'], { 'cn-beijing-b': '10.20.12.0/24' }),
    cut: [MOVED],
  },
  {
    name: 'another CIDR for the subnet of zone A',
    head: set(['network', 'subnets'], { 'cn-beijing-a': '10.20.11.0/24' }),
    cut: [MOVED],
  },
  {
    name: 'a subnet made smaller',
    head: set(['network', 'subnets'], { 'cn-beijing-b': '10.20.2.0/25' }),
    outcome: {
      refusedAt: 'plan',
      message: /cannot become 10\.20\.2\.0\/25 there.*Deploy in two steps/,
    },
  },
  {
    name: 'the subnets of two zones swapped',
    head: subnets({ 'cn-beijing-a': '10.20.2.0/24', 'cn-beijing-b': '10.20.1.0/24' }),
    outcome: { refusedAt: 'plan', message: /is the subnet of cn-beijing-a.*Deploy in two steps/ },
  },
  {
    name: 'another CIDR for the network of a protected endpoint',
    head: set([], {
      network: {
        name: 'agents',
        cidr: '10.21.0.0/16',
        subnets: { 'cn-beijing-a': '10.21.1.0/24' },
      },
    }),
    outcome: protectedEndpoint,
  },
  {
    name: 'another CIDR for the network',
    base: mayBeReplaced,
    head: set([], {
      network: {
        name: 'agents',
        cidr: '10.21.0.0/16',
        subnets: { 'cn-beijing-a': '10.21.1.0/24' },
      },
    }),
    cut: [
      lost('service-endpoint', 'delete PrivateLink::VpcEndpoint'),
      lost('service-endpoint-api-host', 'update PrivateZone::Record'),
    ],
  },
  {
    name: 'a new network given up for an existing one',
    base: mayBeReplaced,
    head: inExisting,
    cut: [lost('service-endpoint', 'delete PrivateLink::VpcEndpoint')],
  },
  {
    name: 'a new network given up for an existing one by a protected endpoint',
    head: inExisting,
    outcome: protectedEndpoint,
  },
  {
    name: 'an existing network given up for a new one',
    base: all(mayBeReplaced, inExisting),
    head: set([], {
      network: {
        name: 'agents',
        cidr: '10.20.0.0/16',
        subnets: { 'cn-beijing-a': '10.20.1.0/24' },
      },
    }),
    cut: [lost('service-endpoint', 'delete PrivateLink::VpcEndpoint')],
  },
  {
    name: 'another existing subnet',
    base: existingNetwork(([a]) => ({ 'cn-beijing-a': { subnetId: a, cidr: '10.20.1.0/24' } })),
    head: (settings, { existing }) =>
      Object.assign(part(settings, 'network', 'subnets'), {
        'cn-beijing-a': { subnetId: existing.otherSubnetId, cidr: '10.20.5.0/24' },
      }),
    cut: [MOVED],
  },
]);

export const ENDPOINT = rowsOf('api-access', [
  { name: 'the endpoint renamed', head: endpoint({ name: 'assistant-service' }) },
  { name: 'fewer zones of the network', head: endpoint({ zones: ['cn-beijing-a'] }) },
  {
    name: 'more zones of the network',
    base: endpoint({ zones: ['cn-beijing-a'] }),
    head: unset(['serviceEndpoint'], 'zones'),
  },
  {
    name: 'the zones spelled out in another order',
    head: endpoint({ zones: ['cn-beijing-b', 'cn-beijing-a'] }),
    isNoOp: true,
  },
  {
    name: 'an address given',
    head: endpoint({ addresses: { 'cn-beijing-a': '10.20.1.77' } }),
    cut: [MOVED],
  },
  {
    name: 'an address outside its subnet',
    head: endpoint({ addresses: { 'cn-beijing-a': '10.20.2.77' } }),
    outcome: { refusedAt: 'synth', message: /`addresses.cn-beijing-a` must lie in the subnet/ },
  },
  {
    name: 'another scheme',
    base: withoutZone,
    head: endpoint({ scheme: 'http' }),
    cut: [lost('service-endpoint', 'update VPC::SecurityGroup')],
  },
  {
    name: 'another port',
    base: withoutZone,
    head: endpoint({ port: 8443 }),
    cut: [lost('service-endpoint', 'update VPC::SecurityGroup')],
  },
  {
    name: 'fewer allowed networks, the client still among them',
    base: endpoint({ allowedNetworks: ['10.20.0.0/16', '10.30.0.0/16'] }),
    head: endpoint({ allowedNetworks: ['10.20.0.0/16'] }),
  },
  {
    name: 'the network of the client no longer allowed',
    base: all(withoutZone, endpoint({ allowedNetworks: ['10.20.0.0/16', '10.30.0.0/16'] })),
    head: endpoint({ allowedNetworks: ['10.30.0.0/16'] }),
    cut: [lost('service-endpoint', 'update VPC::SecurityGroup')],
  },
  {
    name: 'one more allowed network',
    head: endpoint({ allowedNetworks: ['10.20.0.0/16', '10.30.0.0/16'] }),
  },
  {
    name: 'allowed networks in another order',
    base: endpoint({ allowedNetworks: ['10.20.0.0/16', '10.30.0.0/16'] }),
    head: endpoint({ allowedNetworks: ['10.30.0.0/16', '10.20.0.0/16'] }),
    isNoOp: true,
  },
  {
    name: 'an existing group attached',
    base: inExisting,
    head: (settings, { existing }) =>
      Object.assign(part(settings, 'serviceEndpoint'), { securityGroupIds: [existing.groupId] }),
  },
  {
    name: 'an existing group no longer attached',
    base: all(inExisting, (settings, { existing }) =>
      Object.assign(part(settings, 'serviceEndpoint'), { securityGroupIds: [existing.groupId] }),
    ),
    head: unset(['serviceEndpoint'], 'securityGroupIds'),
  },
  { name: 'a server name for TLS', head: endpoint({ tlsServerName: 'api.sandbox.example' }) },
  {
    name: 'the API host no longer private',
    head: withoutZone,
    cut: [lost('service-endpoint-api-host', 'delete PrivateZone::Record')],
  },
  { name: 'the API host made private', base: withoutZone, head: endpoint({ privateZone: true }) },
  {
    name: 'the API host private in one more network',
    head: (settings, { existing }) =>
      Object.assign(part(settings, 'serviceEndpoint'), {
        privateZoneNetworks: [{ vpcId: existing.vpcId, cidrs: ['10.20.0.0/16'] }],
      }),
  },
  {
    name: 'another API host',
    head: set([], { apiHost: 'other.sandbox.example' }),
    cut: [lost('service-endpoint-api-host', 'delete PrivateZone::Record')],
  },
  { name: 'the protection lifted', head: mayBeReplaced, isNoOp: true },
  {
    name: 'the protection set',
    base: mayBeReplaced,
    head: unset(['serviceEndpoint'], 'preventDestroy'),
    isNoOp: true,
  },
  {
    name: 'the endpoint removed',
    head: unset([], 'serviceEndpoint', 'network'),
    cut: [
      lost('service-endpoint', 'delete PrivateLink::VpcEndpoint'),
      lost('service-endpoint-api-host', 'delete PrivateZone::Record'),
    ],
  },
  { name: 'a wait for the check', head: set(['check'], { wait: '1m' }), isNoOp: true },
]);

const fixedIp = (targets: Settings, more: Settings = {}): SettingsChange =>
  set([], { fixedIpEgress: { ...FIXED_IP, ...more, ...targets } });
const group = { securityGroup: {} };
const firewall = (own: readonly string[], more: Settings = {}) => ({
  cloudFirewall: { own, close: true, ...more },
});
const FROM = ['47.1.2.3/32', '47.1.2.4/32'];
const listed: SettingsChange = (settings, facts) =>
  fixedIp({ prefixList: { vpcId: facts.existing.vpcId } }, { ports: [443, 80] })(settings, facts);

export const FIXED_IP_ACCESS = rowsOf('api-access', [
  { name: 'fixed-IP access added', head: fixedIp(group) },
  { name: 'fixed-IP access removed', base: fixedIp(group), head: unset([], 'fixedIpEgress') },
  {
    name: 'fixed-IP access renamed',
    base: fixedIp({ ...group, prefixList: {}, ...firewall(FROM) }),
    head: set(['fixedIpEgress'], { name: 'egress' }),
  },
  {
    name: 'a port changed over a prefix list',
    base: listed,
    head: set(['fixedIpEgress'], { ports: [443, 8443] }),
  },
  {
    name: 'a port removed over a prefix list',
    base: listed,
    head: set(['fixedIpEgress'], { ports: [443] }),
  },
  {
    name: 'ports in another order',
    base: listed,
    head: set(['fixedIpEgress'], { ports: [80, 443] }),
    isNoOp: true,
  },
  {
    name: 'port and resolver changed at once',
    base: all(listed, set(['fixedIpEgress'], { dnsServers: ['100.96.0.2/32'] })),
    head: set(['fixedIpEgress'], { ports: [443, 8443], dnsServers: ['100.96.0.3/32'] }),
  },
  {
    name: 'a resolver added',
    base: fixedIp(group),
    head: set(['fixedIpEgress'], { dnsServers: ['100.96.0.2/32'] }),
  },
  {
    name: 'resolvers removed',
    base: fixedIp(group, { dnsServers: ['100.96.0.2/32'] }),
    head: unset(['fixedIpEgress'], 'dnsServers'),
  },
  {
    name: 'more headroom',
    base: listed,
    head: (settings, { existing }) =>
      Object.assign(part(settings, 'fixedIpEgress'), {
        prefixList: { vpcId: existing.vpcId, headroom: 10 },
      }),
  },
  {
    name: 'less headroom',
    base: listed,
    head: (settings, { existing }) =>
      Object.assign(part(settings, 'fixedIpEgress'), {
        prefixList: { vpcId: existing.vpcId, headroom: 0 },
      }),
  },
  {
    name: 'a group in place of a prefix list',
    base: listed,
    head: (settings) => {
      delete part(settings, 'fixedIpEgress').prefixList;
      Object.assign(part(settings, 'fixedIpEgress'), group);
    },
  },
  {
    name: 'a prefix list in place of a group',
    base: fixedIp(group),
    head: (settings, facts) => listed(settings, facts),
  },
  {
    name: 'the group over a prefix list removed',
    base: listed,
    head: set(['fixedIpEgress'], { prefixList: {} }),
    isUnenforced: true,
  },
  {
    name: 'the group in another VPC',
    base: fixedIp(group),
    head: (settings, { existing }) =>
      Object.assign(part(settings, 'fixedIpEgress'), { securityGroup: { vpcId: existing.vpcId } }),
  },
  {
    name: 'a firewall added',
    base: fixedIp(group),
    head: (settings) => Object.assign(part(settings, 'fixedIpEgress'), firewall(FROM)),
  },
  {
    name: 'a firewall removed',
    base: fixedIp({ ...group, ...firewall(FROM) }),
    head: unset(['fixedIpEgress'], 'cloudFirewall'),
  },
  {
    name: 'one of two own addresses removed',
    base: fixedIp(firewall(FROM)),
    head: set(['fixedIpEgress'], firewall(FROM.slice(1))),
  },
  {
    name: 'a second own address',
    base: fixedIp(firewall(FROM.slice(1))),
    head: set(['fixedIpEgress'], firewall(FROM)),
  },
  {
    name: 'own addresses in another order',
    base: fixedIp(firewall(FROM)),
    head: set(['fixedIpEgress'], firewall(FROM.toReversed())),
    isNoOp: true,
  },
  {
    name: 'a firewall no longer closed',
    base: fixedIp({ ...group, ...firewall(FROM) }),
    head: set(['fixedIpEgress'], firewall(FROM, { close: false })),
  },
  {
    name: 'a firewall closed',
    base: fixedIp({ ...group, ...firewall(FROM, { close: false }) }),
    head: set(['fixedIpEgress'], firewall(FROM)),
  },
  {
    name: 'another priority, which counts at creation only',
    base: fixedIp(firewall(FROM)),
    head: set(['fixedIpEgress'], firewall(FROM, { priority: 2 })),
    isNoOp: true,
  },
  {
    name: 'a port changed in a firewall',
    base: fixedIp(firewall(FROM), { ports: [443, 80] }),
    head: set(['fixedIpEgress'], { ports: [443, 8443] }),
  },
]);
