import type { Settings } from './row.js';

const COMMON = {
  region: 'cn-beijing',
  apiHost: 'api.sandbox.example',
  tags: { owner: 'platform', ticket: 'NET-1' },
  check: { mode: 'off' },
};

/** The settings that every row of a stack starts from. */
export const BASE: Readonly<Record<'api-access' | 'plugin-access', Settings>> = {
  'api-access': {
    ...COMMON,
    network: {
      name: 'agents',
      cidr: '10.20.0.0/16',
      subnets: { 'cn-beijing-a': '10.20.1.0/24', 'cn-beijing-b': '10.20.2.0/24' },
    },
    serviceEndpoint: {
      name: 'agent-service',
      serviceName: 'com.volces.privatelink.cn-beijing.epsvc-sandbox',
      scheme: 'https',
      privateZone: true,
    },
  },
  'plugin-access': {
    ...COMMON,
    pluginEndpointService: {
      name: 'order-lookup',
      backend: 'orders',
      serviceAccountId: '2100000001',
      payer: 'EndpointService',
      loadBalancer: {
        network: {
          name: 'plugins',
          cidr: '10.40.0.0/16',
          subnets: { 'cn-beijing-a': '10.40.1.0/24', 'cn-beijing-b': '10.40.2.0/24' },
        },
        protocol: 'HTTP',
        port: 80,
        healthCheckPath: '/health',
        servers: [{ type: 'ip', ip: '10.40.1.10', port: 8080 }],
      },
    },
  },
};

/** A list of the vendor's, handed over for fixed-IP calls of a plugin. */
export function addressList(...addresses: readonly string[]) {
  return {
    version: '2030-01-01',
    entries: addresses.map((address) => ({
      address,
      firstSeen: '2030-01-01',
      source: 'mail of the vendor',
    })),
  };
}

/** Fixed-IP access, without a target yet. */
export const FIXED_IP: Settings = {
  name: 'agent-service-api',
  baseUrl: 'https://static-api.sandbox.example',
};
