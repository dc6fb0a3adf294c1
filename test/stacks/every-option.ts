import { Testing } from 'cdktf';
import { parseSettings } from '../../src/settings/index.js';
import { ApiAccess } from '../../stacks/api-access.js';
import { PluginAccess } from '../../stacks/plugin-access.js';
import { testingApp } from '../support/testing-app.js';

const listed = ['192.0.2.1', '192.0.2.2'].map((address) => ({
  address,
  state: 'active',
  firstSeen: '2026-05-04',
  source: 'letter of the vendor',
}));

/** Settings that name every option, each with all that it can make. */
export const EVERY_OPTION = {
  region: 'cn-beijing',
  project: 'agents',
  tags: { owner: 'platform', ticket: 'NET-1' },
  apiHost: 'api.example.com',
  network: {
    name: 'agents',
    cidr: '10.30.0.0/16',
    subnets: { 'cn-beijing-a': '10.30.1.0/24', 'cn-beijing-b': '10.30.2.0/24' },
  },
  serviceEndpoint: {
    name: 'agent-service',
    serviceName: 'com.example.service',
    serviceId: 'epsvc-1a2b',
    scheme: 'https',
    zones: ['cn-beijing-a', 'cn-beijing-b'],
    securityGroupIds: ['sg-given'],
    privateZone: true,
  },
  fixedIpEgress: {
    name: 'agent-api',
    baseUrl: 'https://static-api.example.com',
    dnsServers: ['10.30.0.2/32'],
    securityGroup: {},
    prefixList: { vpcId: 'vpc-1a2b' },
    cloudFirewall: { own: ['198.51.100.7/32', '198.51.100.8/32'], close: true },
  },
  pluginEndpointService: {
    name: 'orders',
    backend: 'orders',
    serviceAccountId: '2100000000',
    payer: 'EndpointService',
    acceptedEndpointIds: ['ep-1a2b'],
    loadBalancer: {
      network: {
        name: 'plugins',
        cidr: '10.40.0.0/16',
        subnets: { 'cn-beijing-a': '10.40.1.0/24' },
      },
      protocol: 'HTTP',
      port: 80,
      servers: [{ type: 'ip', ip: '10.40.1.10', port: 8080 }],
    },
  },
  fixedIpIngress: {
    name: 'tickets',
    backend: 'tickets',
    addresses: { version: '2026-05-04', entries: listed },
    ports: [443],
    securityGroup: { vpcId: 'vpc-1a2b' },
    prefixList: {},
    cloudFirewall: { own: ['198.51.100.9/32'], close: true },
  },
  userIdHeader: { backend: 'orders', trustedProxies: ['10.40.0.0/16'] },
};

export const STACKS = { 'api-access': ApiAccess, 'plugin-access': PluginAccess };

type Block = Record<string, Record<string, Record<string, unknown>>>;

/** A stack of the settings, as Terraform reads it. */
export function synthesized(stack: keyof typeof STACKS, settings: object = EVERY_OPTION) {
  const app = testingApp();
  const parsed = parseSettings(JSON.stringify(settings), 'settings/test.json');
  const text = Testing.synth(new STACKS[stack](app, `${stack}-test`, parsed), true);
  const json = JSON.parse(text) as {
    readonly resource?: Block;
    readonly data?: Block;
    readonly output?: Record<string, { readonly value: string }>;
  };
  return { text, json };
}
