import { describe, expect, test } from 'vitest';
import { FIXED_IP } from '../../changes/settings.js';
import { member, type RehearsedChange, rehearseChange, set } from '../../rehearse/rehearsal.js';

interface Row extends Omit<RehearsedChange, 'stack'> {
  readonly name: string;
  readonly outcome?: 'noticed' | 'failed';
  /** The texts of the findings. @default - none */
  readonly says?: readonly RegExp[];
  /** The first line of the report, where one row stands for all findings. @default - not compared */
  readonly summary?: string;
}

const endpoint = (change: object) => set(['serviceEndpoint'], { ...change });
const EXISTING = {
  vpcId: 'vpc-1a2b',
  cidrs: ['10.20.0.0/16'],
  subnets: { 'cn-beijing-a': { subnetId: 'subnet-1a2b', cidr: '10.20.1.0/24' } },
};

const API: readonly Row[] = [
  { name: 'a zone', head: set(['network', 'subnets'], { 'cn-beijing-c': '10.20.3.0/24' }) },
  {
    name: 'an allowed network',
    head: endpoint({ allowedNetworks: ['10.20.0.0/16', '10.30.0.0/16'] }),
  },
  { name: 'a name', head: endpoint({ name: 'assistant-service' }) },
  { name: 'a tag', head: set(['tags'], { owner: 'network' }) },
  {
    name: 'a port',
    base: endpoint({ privateZone: false }),
    head: endpoint({ port: 8443 }),
    outcome: 'noticed',
    says: [
      /^service-endpoint: old base URL stops at step 1 \(packets are dropped; lost for good: the change removes it\), new base URL works from step \d+$/,
      /^service-endpoint has a new base URL/,
    ],
  },
  {
    name: 'a scheme',
    base: endpoint({ privateZone: false }),
    head: endpoint({ scheme: 'http' }),
    outcome: 'noticed',
    says: [
      /^service-endpoint: old base URL stops at step 1 \(packets are dropped; lost for good: the change removes it\), new base URL works from step \d+$/,
      /has a new base URL/,
    ],
  },
  {
    name: 'a fixed address',
    head: endpoint({ addresses: { 'cn-beijing-a': '10.20.1.77' } }),
    outcome: 'noticed',
    says: [
      /^service-endpoint-api-host is partly interrupted from step 1 to 2 \(some of its addresses do not answer\), and up to 60 s longer where resolvers keep 10\.20\.1\.\d+$/,
    ],
  },
  {
    name: 'a server name',
    head: endpoint({ tlsServerName: 'tls.example.com' }),
    outcome: 'noticed',
    says: [
      /^service-endpoint has a new server name: certificates must be checked for tls\.example\.com instead of ep-/,
    ],
  },
  { name: 'a rename of the network', head: set(['network'], { name: 'assistants' }) },
  { name: 'a check mode', head: set(['check'], { mode: 'report' }) },
  {
    name: 'a project of a protected endpoint',
    head: set([], { project: 'agents' }),
    outcome: 'failed',
    says: [/^the deploy is refused, and nothing is changed: .*Instance cannot be destroyed/],
  },
  {
    name: 'a project',
    base: endpoint({ preventDestroy: false }),
    head: set([], { project: 'agents' }),
    outcome: 'noticed',
    says: [
      /^service-endpoint: old base URL stops .*new base URL works from step \d+$/,
      /^service-endpoint-api-host is interrupted from step/,
      /^service-endpoint has a new base URL/,
    ],
  },
  {
    name: 'an option added',
    head: set([], { fixedIpEgress: { ...FIXED_IP, securityGroup: {}, prefixList: {} } }),
  },
  {
    name: 'an option removed',
    base: set([], { fixedIpEgress: { ...FIXED_IP, securityGroup: {} } }),
    head: (settings) => delete settings.fixedIpEgress,
    outcome: 'noticed',
    says: [
      /^fixed-ip-egress stops at step 1 \(packets are dropped; lost for good: the change removes it\)$/,
      // All ranges of the dated list in one.
      /^agent-service-api can no longer reach (?:[\d.]+, ){23}[\d.]+:443 from step 1 on \(/,
      /^fixed-ip-egress is removed/,
    ],
  },
  {
    name: 'an IPv6 network, which nobody sends packets from to an endpoint for IPv4',
    base: endpoint({ allowedNetworks: ['10.20.0.0/16', 'fd00:20::/48'] }),
    head: endpoint({ allowedNetworks: ['10.20.0.0/16', 'fd00:21::/48'] }),
  },
  {
    name: 'a group attached',
    base: set([], { network: EXISTING }),
    head: endpoint({ securityGroupIds: ['sg-1a2b'] }),
    outcome: 'noticed',
    says: [/ has the group sg-1a2b from step \d+ on: whom that lets in or keeps out is not shown/],
  },
];

const accepted = set(['pluginEndpointService'], { acceptedEndpointIds: ['ep-1a2b'] });
const servers = (...last: readonly number[]) =>
  set(['pluginEndpointService', 'loadBalancer'], {
    servers: last.map((each) => ({ type: 'ip', ip: `10.40.1.${each}`, port: 8080 })),
  });

const PLUGIN: readonly Row[] = [
  { name: 'a backend server', base: accepted, head: servers(10, 11) },
  {
    name: 'a payer of a protected service',
    head: set(['pluginEndpointService'], { payer: 'Endpoint' }),
    outcome: 'failed',
    says: [/^the deploy is refused, and nothing is changed: .*Instance cannot be destroyed/],
  },
  {
    name: 'a payer',
    base: set(['pluginEndpointService'], { preventDestroy: false }),
    head: set(['pluginEndpointService'], { payer: 'Endpoint' }),
    outcome: 'noticed',
    says: [/^plugin-endpoint-service has a new endpoint service: the service's console needs/],
  },
  {
    name: "the listener's port of a connected plugin",
    base: accepted,
    head: set(['pluginEndpointService', 'loadBalancer'], { port: 81 }),
    outcome: 'noticed',
    says: [
      /^plugin-endpoint-service stops at step/,
      /^plugin-endpoint-service listens on port 81 instead of 80: the plugin must be called there/,
    ],
    summary: 'CLIENTS NOTICE: orders: tcp 80 → 81; calls fail between step 1 and 2',
  },
  {
    name: "the listener's port of a plugin that is not connected",
    head: set(['pluginEndpointService', 'loadBalancer'], { port: 81 }),
    outcome: 'noticed',
    says: [
      /^100\.64\.0\.0\/10 can no longer reach orders-listener:80 from step 1 on \(lost for good/,
    ],
    summary: 'CLIENTS NOTICE: orders: tcp 80 → 81; calls fail between step 1 and 2',
  },
  {
    name: "the listener's protocol of a connected plugin",
    base: accepted,
    head: (settings) => {
      const balancer = member(settings, 'pluginEndpointService', 'loadBalancer');
      balancer.protocol = 'TCP';
      delete balancer.healthCheckPath;
    },
    outcome: 'noticed',
    says: [/^plugin-endpoint-service is interrupted from step/],
  },
  {
    name: 'the port of a load balancer that exists',
    base: set(['pluginEndpointService'], {
      loadBalancer: { loadBalancerId: 'clb-1a2b', port: 443 },
      acceptedEndpointIds: ['ep-1a2b'],
    }),
    head: set(['pluginEndpointService', 'loadBalancer'], { port: 8443 }),
    outcome: 'noticed',
    says: [/^orders is called on tcp 8443 instead of tcp 443: the plugin must be called there$/],
  },
  { name: 'the connection accepted', head: accepted },
  {
    name: 'a connection no longer accepted',
    base: accepted,
    head: (settings) => delete member(settings, 'pluginEndpointService').acceptedEndpointIds,
    outcome: 'failed',
    says: [
      /^plugin-endpoint-service stops at step/,
      /^the rollback fails midway: .*The connection of ep-1a2b is Rejected/,
    ],
  },
];

describe.each([
  ['api-access', API],
  ['plugin-access', PLUGIN],
] as const)('%s', (stack, rows) => {
  test.each(rows)('$name', async ({ outcome = 'clean', says = [], summary, ...change }) => {
    const report = await rehearseChange({ stack, ...change });
    expect(report.findings.map(({ text }) => text)).toEqual(
      says.map((pattern) => expect.stringMatching(pattern)),
    );
    expect(report.outcome, report.summary).toBe(outcome);
    expect(report.summary).toBe(summary ?? report.summary);
    const rows = new Set(report.findings.map(({ row }) => row));
    expect([...rows], 'the row of all').toEqual(
      summary ? [summary.split(/: (.*)/s)[1]] : [...rows],
    );
  });
});
