import { expect, test } from 'vitest';
import type * as z from 'zod';
import { remember } from '../../src/lists/remember.js';
import { settingsSchema } from '../../src/settings/schema.js';
import { EVERY_OPTION, type STACKS, synthesized } from './every-option.js';

type Tree = { readonly [name: string]: unknown };

/** Sets some settings to other values, by their paths. */
function changed(settings: Tree, values: Tree): Tree {
  return Object.entries(values).reduce(
    (all, [path, value]) => set(all, path.split('.'), value),
    settings,
  );
}

function set(tree: Tree, [name = '', ...rest]: readonly string[], value: unknown): Tree {
  const inner = rest.length === 0 ? value : set((tree[name] ?? {}) as Tree, rest, value);
  return { ...tree, [name]: inner };
}

const EXCEPTION = { reason: 'a trial', owner: 'platform', expires: '2999-12-31' };
const ADDRESS = { address: '192.0.2.9', firstSeen: '2026-05-04', source: 'their letter' };
const SHORT_LIST = { version: '1', entries: [ADDRESS], shrinkException: EXCEPTION };
const EXISTING = {
  vpcId: 'vpc-1a2b',
  cidrs: ['10.30.0.0/16'],
  subnets: { 'cn-beijing-a': { subnetId: 'subnet-1a2b', cidr: '10.30.1.0/24' } },
};
const GUARD = { description: 'a gateway', callerNetworks: ['10.40.1.9/32'] };
const IN_EXISTING = { network: EXISTING, 'serviceEndpoint.zones': ['cn-beijing-a'] };
const BY_DOMAIN = { 'serviceEndpoint.privateZone': false };
const IN_A_ZONE = {
  'serviceEndpoint.privateZone': { zoneId: 1001, zoneName: 'api.example.com' },
};
const BY_OTHERS = { 'serviceEndpoint.privateZone': { managedBy: 'network team' } };
const EGRESS_LIST = { 'fixedIpEgress.addresses': SHORT_LIST };
const INGRESS_LIST = { 'fixedIpIngress.addresses': SHORT_LIST };
const WITHOUT_TARGET = {
  securityGroup: undefined,
  prefixList: undefined,
  cloudFirewall: undefined,
};
const BALANCER = 'pluginEndpointService.loadBalancer';
const BEHIND_EXISTING = {
  [BALANCER]: { loadBalancerId: 'clb-1a2b', port: 80 },
  userIdHeader: undefined,
};
const IN_EXISTING_TOO = {
  [`${BALANCER}.network`]: EXISTING,
  [`${BALANCER}.servers`]: [{ type: 'ip', ip: '10.30.1.10', port: 8080 }],
};
const TWO_SUBNETS = { 'cn-beijing-a': '10.40.1.0/24', 'cn-beijing-b': '10.40.2.0/24' };
const IN_S3 = { state: { backend: 's3', config: { bucket: 'b', key: 'k' } } };
const PERMITTED = {
  'pluginEndpointService.permittedAccountIds': ['2100000000', '2100000009'],
  'pluginEndpointService.permittedAccountsException': EXCEPTION,
};
const GUARDED = { 'userIdHeader.guard': GUARD };

/** Another value of a setting, and settings that it needs beside it. */
type Row = [path: string, value: unknown, beside?: Tree];

const ROWS: Row[] = [
  ['project', 'other'],
  ['assumeRole.trn', 'trn:iam::1:role/other', { 'assumeRole.trn': 'trn:iam::1:role/deploy' }],
  ['assumeRole.durationSeconds', 1_800, { 'assumeRole.trn': 'trn:iam::1:role/deploy' }],
  ['tags', { owner: 'others' }],
  ['apiHost', 'other.example.com'],
  ['keyPairs', [{ kid: 'a', keyFile: 'a.pem' }]],
  ['network.name', 'other'],
  ['network.cidr', '10.30.0.0/15'],
  ['network.subnets', { 'cn-beijing-a': '10.30.1.0/24', 'cn-beijing-b': '10.30.3.0/24' }],
  ['network.vpcId', 'vpc-2', IN_EXISTING],
  ['network.cidrs', ['10.30.0.0/15'], IN_EXISTING],
  ['serviceEndpoint.name', 'other'],
  ['serviceEndpoint.serviceName', 'com.example.other'],
  ['serviceEndpoint.serviceId', 'epsvc-2'],
  ['serviceEndpoint.scheme', 'http', BY_DOMAIN],
  ['serviceEndpoint.port', 8443, BY_DOMAIN],
  ['serviceEndpoint.zones', ['cn-beijing-a']],
  ['serviceEndpoint.addresses', { 'cn-beijing-a': '10.30.1.99', 'cn-beijing-b': '10.30.2.99' }],
  ['serviceEndpoint.allowedNetworks', ['10.30.1.0/24']],
  ['serviceEndpoint.tlsServerName', 'tls.example.com'],
  ['serviceEndpoint.securityGroupIds', ['sg-other']],
  ['serviceEndpoint.privateZone', false],
  ['serviceEndpoint.privateZone.zoneId', 1002, IN_A_ZONE],
  ['serviceEndpoint.privateZone.zoneName', 'example.com', IN_A_ZONE],
  ['serviceEndpoint.privateZone.managedBy', 'another team', BY_OTHERS],
  ['serviceEndpoint.privateZoneNetworks', [{ vpcId: 'vpc-2', cidrs: ['10.30.0.0/16'] }]],
  ['serviceEndpoint.preventDestroy', false],
  ['fixedIpEgress.name', 'other'],
  ['fixedIpEgress.baseUrl', 'https://other.example.com'],
  ['fixedIpEgress.addresses.version', '2', EGRESS_LIST],
  ['fixedIpEgress.addresses.entries', [{ ...ADDRESS, address: '192.0.2.8' }], EGRESS_LIST],
  ['fixedIpEgress.ports', [443, 8443]],
  ['fixedIpEgress.dnsServers', ['10.30.0.3/32']],
  ['fixedIpEgress.securityGroup.vpcId', 'vpc-2'],
  ['fixedIpEgress.prefixList.vpcId', 'vpc-2'],
  ['fixedIpEgress.prefixList.headroom', 9],
  ['fixedIpEgress.cloudFirewall.own', ['198.51.100.6/32']],
  ['fixedIpEgress.cloudFirewall.close', false],
  ['fixedIpEgress.cloudFirewall.firewallId', 'firewall-2'],
  ['fixedIpEgress.cloudFirewall.priority', 9],
  [
    'fixedIpEgress.enforcedElsewhere',
    'another firewall',
    {
      fixedIpEgress: {
        ...EVERY_OPTION.fixedIpEgress,
        ...WITHOUT_TARGET,
        enforcedElsewhere: 'ours',
      },
    },
  ],
  ['pluginEndpointService.name', 'other'],
  ['pluginEndpointService.backend', 'other', { userIdHeader: undefined }],
  [`${BALANCER}.loadBalancerId`, 'clb-2', BEHIND_EXISTING],
  [`${BALANCER}.port`, 8080],
  [`${BALANCER}.network.name`, 'other'],
  [`${BALANCER}.network.cidr`, '10.40.0.0/15'],
  [`${BALANCER}.network.subnets`, { 'cn-beijing-a': '10.40.0.0/23' }],
  [`${BALANCER}.network.vpcId`, 'vpc-2', IN_EXISTING_TOO],
  [`${BALANCER}.network.cidrs`, ['10.30.0.0/15'], IN_EXISTING_TOO],
  [`${BALANCER}.zone`, 'cn-beijing-b', { [`${BALANCER}.network.subnets`]: TWO_SUBNETS }],
  [`${BALANCER}.protocol`, 'TCP'],
  [`${BALANCER}.servers`, [{ type: 'ip', ip: '10.40.1.11', port: 8080 }]],
  [`${BALANCER}.healthCheckPath`, '/other'],
  [`${BALANCER}.spec`, 'large_1'],
  ['pluginEndpointService.serviceAccountId', '2100000003'],
  ['pluginEndpointService.permittedAccountIds', ['2100000000', '2100000008'], PERMITTED],
  ['pluginEndpointService.permittedAccountsException.reason', 'another', PERMITTED],
  ['pluginEndpointService.permittedAccountsException.owner', 'others', PERMITTED],
  ['pluginEndpointService.permittedAccountsException.expires', '2999-12-30', PERMITTED],
  ['pluginEndpointService.payer', 'Endpoint'],
  ['pluginEndpointService.acceptedEndpointIds', ['ep-2']],
  ['pluginEndpointService.bandwidthMbps', 200],
  ['pluginEndpointService.preventDestroy', false],
  ['fixedIpIngress.name', 'other'],
  ['fixedIpIngress.backend', 'other'],
  ['fixedIpIngress.addresses.version', '2', INGRESS_LIST],
  ['fixedIpIngress.addresses.entries', [{ ...ADDRESS, address: '192.0.2.8' }], INGRESS_LIST],
  ['fixedIpIngress.ports', [8443]],
  ['fixedIpIngress.securityGroup.vpcId', 'vpc-2'],
  ['fixedIpIngress.prefixList.vpcId', 'vpc-2'],
  ['fixedIpIngress.prefixList.headroom', 9],
  ['fixedIpIngress.cloudFirewall.own', ['198.51.100.6/32']],
  ['fixedIpIngress.cloudFirewall.close', false],
  ['fixedIpIngress.cloudFirewall.firewallId', 'firewall-2'],
  ['fixedIpIngress.cloudFirewall.priority', 9],
  [
    'fixedIpIngress.enforcedElsewhere',
    'another firewall',
    {
      fixedIpIngress: {
        ...EVERY_OPTION.fixedIpIngress,
        ...WITHOUT_TARGET,
        enforcedElsewhere: 'ours',
      },
    },
  ],
  ['userIdHeader.backend', 'tickets'],
  ['userIdHeader.guard.callerNetworks', ['10.40.1.8/32'], GUARDED],
  ['userIdHeader.trustedProxies', ['10.40.1.0/24']],
  ['check.mode', 'report'],
  ['check.runOn', 'every-deploy'],
  ['check.program', 'secure-connectivity'],
  ['check.runVia', ['ssh bastion']],
  ['check.wait', '1m'],
  ['state.backend', 'pg', IN_S3],
  ['state.config', { bucket: 'b', key: 'other' }, IN_S3],
  ['state.folder', 'states', { state: { backend: 'local' } }],
];

/** Settings of which the outputs for the check tell, beside the digest of all access. */
const TOLD_TO_THE_CHECK: readonly string[] = [
  'apiHost',
  'network.subnets',
  'serviceEndpoint.scheme',
  'serviceEndpoint.port',
  'serviceEndpoint.zones',
  'serviceEndpoint.tlsServerName',
  'serviceEndpoint.privateZone',
  'serviceEndpoint.privateZone.managedBy',
  'fixedIpEgress.baseUrl',
  'fixedIpEgress.addresses.entries',
  'pluginEndpointService.serviceAccountId',
  'pluginEndpointService.acceptedEndpointIds',
  `${BALANCER}.network.cidr`,
  `${BALANCER}.network.cidrs`,
  `${BALANCER}.protocol`,
  `${BALANCER}.servers`,
  `${BALANCER}.healthCheckPath`,
];

/**
 * For editors; which region and stacks there are; what a file beside the stack holds; reasons for people,
 * which are read and in no stack.
 */
const IN_NO_STACK =
  /^(\$schema|region|intents|.*\.shrinkException\..*|userIdHeader\.guard\.description)$/;

/** The settings of a schema, by their paths; of a list, whatever its members are. */
function pathsOf(schema: z.core.$ZodType, at = ''): string[] {
  const { def } = schema._zod as unknown as { readonly def: { readonly [name: string]: never } };
  if ('innerType' in def) return pathsOf(def.innerType, at);
  if ('options' in def) return [...def.options].flatMap((one) => pathsOf(one, at));
  if (!('shape' in def)) return [at];
  return Object.entries(def.shape).flatMap(([name, inner]) =>
    pathsOf(inner as z.core.$ZodType, at === '' ? name : `${at}.${name}`),
  );
}

test('every setting has a row', () => {
  const paths = new Set(pathsOf(settingsSchema).filter((path) => !IN_NO_STACK.test(path)));
  expect(ROWS.map(([path]) => path).toSorted()).toEqual([...paths].toSorted());
});

/** Reads a stack: its text, and what its outputs tell the check. */
function reader(stack: keyof typeof STACKS) {
  return remember((settings: Tree) => {
    const { text, json } = synthesized(stack, settings);
    const { connectivity, connections } = json.output ?? {};
    const told = (connectivity ?? connections)?.value.replace(/"rulesDigest":"\w*"/, '');
    return { text, told };
  });
}

const readApi = reader('api-access');
const readPlugins = reader('plugin-access');
const OF_PLUGINS = /^(pluginEndpointService|fixedIpIngress|userIdHeader)\b/;

test.each<Row>(
  ROWS,
)('`%s` arrives in its stack, and in what the check is told', (path, value, beside) => {
  const read = OF_PLUGINS.test(path) ? readPlugins : readApi;
  const base = changed(EVERY_OPTION, beside ?? {});
  const [before, after] = [read(base), read(changed(base, { [path]: value }))];
  expect(after.text).not.toBe(before.text);
  expect(after.told !== before.told).toBe(TOLD_TO_THE_CHECK.includes(path));
});
