import { expect, test } from 'vitest';
import type { Settings } from '../../changes/row.js';
import { addressList, FIXED_IP } from '../../changes/settings.js';
import {
  LANES_ASKED,
  member,
  type RehearsedChange,
  rehearseChange,
  set,
} from '../../rehearse/rehearsal.js';

interface Row extends RehearsedChange {
  readonly name: string;
  /** The text of some finding; none where clients notice nothing. */
  readonly says?: readonly RegExp[];
  /** @default 'noticed' where something is said */
  readonly outcome?: 'failed';
}

const allowed = (...allowedNetworks: readonly string[]) =>
  set(['serviceEndpoint'], { allowedNetworks });
const many = Array.from({ length: 21 }, (_, i) => `10.20.${100 + i}.0/24`);
const stack = 'api-access' as const;
const CONNECTED = set(['pluginEndpointService'], { acceptedEndpointIds: ['ep-1a2b'] });
const server = (change: object) =>
  set(['pluginEndpointService', 'loadBalancer'], {
    servers: [{ type: 'ip', ip: '10.40.1.10', port: 8080, ...change }],
  });
const permitted = (...permittedAccountIds: readonly string[]) =>
  set(['pluginEndpointService'], {
    permittedAccountIds,
    permittedAccountsException: { reason: 'a test', owner: 'network', expires: '2099-12-31' },
  });
const listOf = (...addresses: readonly string[]) => ({
  ...addressList(...addresses),
  shrinkException: { reason: 'a test', owner: 'network', expires: '2026-12-30' },
});
const callers = (...addresses: readonly string[]) =>
  set([], {
    fixedIpIngress: {
      ...{ name: 'callers', backend: 'tickets', ports: [8443] },
      ...{ addresses: listOf(...addresses), securityGroup: { vpcId: 'vpc-9x' } },
      cloudFirewall: { own: ['47.1.2.3/32'], close: true },
    },
  });
const OWN_BALANCER = {
  loadBalancer: {
    network: { name: 'plugins', cidr: '10.40.0.0/16', subnets: { 'cn-beijing-a': '10.40.1.0/24' } },
    ...{ protocol: 'TCP', port: 80 },
    servers: [{ type: 'ip', ip: '10.40.1.10', port: 8080 }],
  },
};
/** Edits every resource of a type. */
const edited =
  (type: string, change: object): NonNullable<Row['edit']> =>
  (json) => {
    for (const one of Object.values(member(json, 'resource', type)))
      Object.assign(one as object, change);
  };
const NO_SERVER =
  /^calls that volcenginecc_clb_server_group\.\S+ gets fail from step 1 on \(lost for good: the change removes it\): no server of it gets calls$/;
const CHECK_FAILS =
  /^the check after the deploy fails: plugin-endpoint-service: backend\.unhealthy$/;
const FIREWALL = { own: ['203.0.113.9/32'], close: true };

const ROWS: readonly Row[] = [
  {
    name: 'networks narrowed to their upper half',
    stack,
    base: allowed('10.20.0.0/16'),
    head: allowed('10.20.128.0/17'),
    says: [/^10\.20\.0\.0\/17 can no longer reach agent-service:443 from step 1 on/],
  },
  {
    name: 'networks narrowed to their lower half',
    stack,
    base: allowed('10.20.0.0/16'),
    head: allowed('10.20.0.0/17'),
    says: [/^10\.20\.128\.0\/17 can no longer reach agent-service:443 from step 1 on/],
  },
  {
    name: 'networks narrowed to their middle',
    stack,
    base: allowed('10.20.0.0/16'),
    head: allowed('10.20.64.0/18'),
    says: [
      /^10\.20\.0\.0\/18, 10\.20\.128\.0\/17 can no longer reach agent-service:443 from step 1 on/,
    ],
  },
  ...[17].map((index) => ({
    name: `network ${index} of 21 removed`,
    stack,
    base: allowed(...many),
    head: allowed(...many.filter((_, i) => i !== index)),
    says: [new RegExp(`^10\\.20\\.${100 + index}\\.0/24 can no longer reach agent-service:443`)],
  })),
  {
    name: 'networks narrowed, with records that people manage',
    stack,
    base: (settings) => {
      set(['serviceEndpoint'], { privateZone: { managedBy: 'the DNS team' } })(settings);
      allowed('10.20.0.0/16')(settings);
    },
    head: allowed('10.20.0.0/17'),
    says: [/^10\.20\.128\.0\/17 can no longer reach agent-service:443 from step 1 on/],
  },
  {
    name: 'records of the API host given to people who manage them',
    stack,
    head: set(['serviceEndpoint'], { privateZone: { managedBy: 'the DNS team' } }),
    says: [
      /^service-endpoint-api-host stops at step \d+ \(its name leads to a public address\) until its records are entered by the DNS team$/,
    ],
  },
  {
    name: 'a tag, with records that people manage',
    stack,
    base: set(['serviceEndpoint'], { privateZone: { managedBy: 'the DNS team' } }),
    head: set(['tags'], { owner: 'network' }),
  },
  {
    name: 'a tag, with an existing private zone, a group of others and a network of fixed addresses',
    stack,
    base: (settings) => {
      Object.assign(member(settings, 'serviceEndpoint'), {
        privateZone: { zoneId: 123_456, zoneName: 'sandbox.example' },
        securityGroupIds: ['sg-9x'],
      });
      settings.fixedIpEgress = {
        ...FIXED_IP,
        securityGroup: {},
        addresses: listOf('198.51.100.0/24'),
      };
    },
    head: set(['tags'], { owner: 'network' }),
  },
  {
    name: 'a zone removed, whose address resolvers still give',
    stack,
    head: (settings) => delete member(settings, 'network', 'subnets')['cn-beijing-b'],
    says: [
      /^service-endpoint-api-host is partly cut off from step \d+ on, up to 60 s after step \d+: resolvers may still give 10\.20\.2\.\d+, which no longer answers$/,
    ],
  },
  {
    name: 'a zone removed and a network narrowed at once, with an address that resolvers still give',
    stack,
    base: allowed('10.20.0.0/16', '10.50.0.0/16'),
    head: (settings) => {
      set(['serviceEndpoint'], { zones: ['cn-beijing-a'] })(settings);
      allowed('10.20.0.0/16')(settings);
    },
    says: [
      /^service-endpoint-api-host is partly cut off from step \d+ on, up to 60 s after step \d+: resolvers may still give 10\.20\.2\.\d+, which no longer answers$/,
      /^10\.50\.0\.0\/16 can no longer reach agent-service:443 from step \d+ on \(/,
    ],
  },
  {
    name: 'a group that people attach deleted beside another one that lets the same through',
    stack,
    base: set([], {
      fixedIpEgress: { ...FIXED_IP, securityGroup: {}, prefixList: { vpcId: 'vpc-9x' } },
    }),
    head: (settings) => delete member(settings, 'fixedIpEgress').securityGroup,
    says: [
      /^agent-service-api can no longer reach (?:[\d.]+, ){23}[\d.]+:443 through volcenginecc_vpc_security_group\.fixed-ip-egress_security-group_\w+ from step 1 on \(/,
    ],
  },
  {
    name: 'an address taken out of one of two groups for the same calls',
    stack,
    base: set([], {
      fixedIpEgress: { ...FIXED_IP, securityGroup: {}, prefixList: { vpcId: 'vpc-9x' } },
    }),
    head: () => {},
    edit: (json) => {
      const groups = Object.entries(member(json, 'resource', 'volcenginecc_vpc_security_group'));
      for (const [name, group] of groups) {
        if (!name.startsWith('fixed-ip-egress_security-group')) continue;
        const { egress_permissions: rules } = group as { egress_permissions: object[] };
        rules.splice(0, 1);
      }
    },
    says: [
      /^agent-service-api can no longer reach [\d.]+:443 through volcenginecc_vpc_security_group\.fixed-ip-egress_security-group_\w+ from step 1 on \(/,
    ],
  },
  {
    name: 'a Cloud Firewall that closes what the group before it closes already',
    stack,
    base: set([], { fixedIpEgress: { ...FIXED_IP, securityGroup: {} } }),
    head: set(['fixedIpEgress'], { cloudFirewall: FIREWALL }),
  },
  {
    name: 'a Cloud Firewall given up',
    stack,
    base: set([], {
      fixedIpEgress: { ...FIXED_IP, securityGroup: {}, cloudFirewall: FIREWALL },
    }),
    head: (settings) => delete member(settings, 'fixedIpEgress').cloudFirewall,
  },
  {
    name: 'all fixed addresses replaced',
    stack,
    base: set([], {
      fixedIpEgress: { ...FIXED_IP, securityGroup: {}, addresses: listOf('198.51.100.1') },
    }),
    head: set(['fixedIpEgress'], { addresses: listOf('198.51.100.2') }),
    says: [
      /^fixed-ip-egress stops at step 1 \(packets are dropped; lost for good: the change removes it\)$/,
      /^agent-service-api can no longer reach 198\.51\.100\.1:443 from step 1 on \(/,
    ],
  },
  {
    name: 'a link on another port',
    stack,
    base: set(['serviceEndpoint'], { port: 8443, privateZone: false }),
    head: set(['tags'], { owner: 'network' }),
  },
  {
    name: "the listener's port of a plugin that nobody is connected to",
    stack: 'plugin-access',
    head: set(['pluginEndpointService', 'loadBalancer'], { port: 81 }),
    says: [/^100\.64\.0\.0\/10 can no longer reach orders-listener:80 from step/],
  },
  {
    name: "the server's port",
    stack: 'plugin-access',
    head: server({ port: 8081 }),
    says: [
      /^calls that volcenginecc_clb_server_group\.\S+ gets fail, interrupted from step 1 to 2: volcenginecc_vpc_security_group\.\S+ does not let 100\.64\.0\.0\/10 in to 10\.40\.1\.10:808[01]$/,
      /^100\.64\.0\.0\/10 can no longer reach orders:8080 from step/,
    ],
  },
  {
    name: 'one of two servers closed, with the other still called',
    stack: 'plugin-access',
    base: (settings) => {
      const servers = [10, 11].map((last) => ({
        type: 'ip',
        ip: `10.40.1.${last}`,
        port: 80 * last,
      }));
      set(['pluginEndpointService', 'loadBalancer'], { servers })(settings);
    },
    head: () => {},
    edit: (json) => {
      for (const group of Object.values(
        member(json, 'resource', 'volcenginecc_vpc_security_group'),
      )) {
        const rules = member(group as Settings, 'ingress_permissions');
        Object.assign(group as object, {
          ingress_permissions: Object.values(rules).filter(
            (rule) => (rule as { port_start: number }).port_start !== 880,
          ),
        });
      }
    },
    says: [
      /^volcenginecc_clb_server_group\.\S+ does not reach a part of its servers from step 1 on \(lost for good: the change removes it\): volcenginecc_vpc_security_group\.\S+ does not let 100\.64\.0\.0\/10 in to 10\.40\.1\.11:880$/,
      /^100\.64\.0\.0\/10 can no longer reach orders:880 from step 1 on \(/,
    ],
  },
  {
    name: 'an address of fixed-IP calls removed, behind a firewall and beside a private plugin',
    stack: 'plugin-access',
    base: callers('198.51.100.11', '198.51.100.12'),
    head: callers('198.51.100.12'),
    // Group and firewall are changed in either order: the first of them cuts it.
    says: [/^198\.51\.100\.11 can no longer reach tickets:8443 from step 1 on \(/],
  },
  ...[true, false].map(
    (hasGroup): Row => ({
      name: `a port more behind a firewall that closes, which never let it through; a group: ${hasGroup}`,
      stack: 'plugin-access',
      base: (settings) => {
        callers('198.51.100.11')(settings);
        if (!hasGroup) delete member(settings, 'fixedIpIngress').securityGroup;
      },
      head: (settings) => set(['fixedIpIngress'], { ports: [8443, 9443] })(settings),
    }),
  ),
  {
    name: 'a balancer of its own for a plugin, in place of one that others guard',
    stack: 'plugin-access',
    base: (settings) =>
      Object.assign(member(settings, 'pluginEndpointService'), {
        loadBalancer: { loadBalancerId: 'clb-9x', port: 80 },
      }),
    head: (settings) => Object.assign(member(settings, 'pluginEndpointService'), OWN_BALANCER),
  },
  {
    name: 'the account that may connect to a plugin replaced, with nobody connected',
    stack: 'plugin-access',
    head: set(['pluginEndpointService'], { serviceAccountId: '2100000009' }),
    says: [/^account 2100000001 can no longer ask for a connection to orders from step 1 on \(/],
  },
  {
    name: 'an account taken out of those that may connect to a plugin',
    stack: 'plugin-access',
    base: permitted('2100000001', '2100000002', '2100000003'),
    head: permitted('2100000001', '2100000002'),
    says: [/^account 2100000003 can no longer ask for a connection to orders from step 1 on \(/],
  },
  {
    name: 'every account let connect to a plugin',
    stack: 'plugin-access',
    base: permitted('2100000001', '2100000002'),
    head: permitted('*'),
  },
  {
    name: 'the only server of a plugin that nobody is connected to, without a weight',
    stack: 'plugin-access',
    head: server({ weight: 0 }),
    says: [NO_SERVER],
  },
  {
    name: 'all servers of a plugin that nobody is connected to, removed',
    stack: 'plugin-access',
    head: () => {},
    edit: edited('volcenginecc_clb_server_group', { servers: [] }),
    outcome: 'failed',
    says: [NO_SERVER, /^a second plan of the deploy is not empty/],
  },
  {
    name: 'the only server of a connected plugin, without a weight',
    stack: 'plugin-access',
    base: CONNECTED,
    head: server({ weight: 0 }),
    outcome: 'failed',
    says: [
      /^plugin-endpoint-service stops at step 1 \(no server behind it gets calls; lost for good: the change removes it\)$/,
      CHECK_FAILS,
    ],
  },
  {
    name: 'the listener of a connected plugin, switched off',
    stack: 'plugin-access',
    base: CONNECTED,
    head: () => {},
    edit: edited('volcenginecc_clb_listener', { enabled: 'off' }),
    outcome: 'failed',
    says: [
      /^plugin-endpoint-service stops at step 1 \(nothing listens at its port; lost for good: the change removes it\)$/,
      CHECK_FAILS,
    ],
  },
  {
    name: 'the kind of the access list of a connected plugin',
    stack: 'plugin-access',
    base: CONNECTED,
    head: () => {},
    edit: edited('volcenginecc_clb_listener', { acl_type: 'black' }),
    outcome: 'failed',
    says: [
      /^plugin-endpoint-service stops at step 1 \(the access list of its listener refuses calls; lost for good: the change removes it\)$/,
      CHECK_FAILS,
    ],
  },
];

test.each(ROWS)('$name', async ({ says = [], outcome, ...change }) => {
  const report = await rehearseChange(change);
  const texts = report.findings.map(({ text }) => text);
  const [ofLink, computed] = [texts.filter(isOfLink), texts.filter((text) => !isOfLink(text))];
  expect(computed).toEqual(says.map((pattern) => expect.stringMatching(pattern)));
  expect(report.outcome).toBe(outcome ?? (says.length > 0 ? 'noticed' : 'clean'));
  // A link names the very clients whose packets are told to be cut.
  const cut = new Set(computed.flatMap(networksIn));
  for (const text of ofLink) expect(cut, text).toEqual(new Set(networksIn(text)));
});

const isOfLink = (text: string) =>
  /^service-endpoint\S* (is down|is partly cut off at|stops) .*10\./.test(text);

const networksIn = (text: string) => text.match(/[\d.]+\/\d+/g) ?? [];

test('endpoints that have to be accepted again lose no connection', async () => {
  const edit = edited('volcenginecc_privatelink_endpoint_service', { auto_accept_enabled: true });
  const change = { stack: 'plugin-access', base: CONNECTED, head: () => {}, edit } as const;
  const { outcome, rollback } = await rehearseChange(change);
  const text = 'can no longer connect to orders without being accepted';
  const effects = rollback.timeline.steps.flatMap((step) => step.effects);
  expect(effects.map((effect) => effect.text)).toContainEqual(expect.stringContaining(text));
  expect([outcome, rollback.findings]).toEqual(['clean', []]);
});

test('reach was asked about links and plugins in these rehearsals', () => {
  expect(Math.min(LANES_ASKED.links, LANES_ASKED.plugins)).toBeGreaterThan(10);
});
