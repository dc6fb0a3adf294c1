import { expect, test } from 'vitest';
import { cidrCovers, parseCidr } from '../../../src/net/cidr.js';
import { member, type RehearsedChange, rehearseChange, set } from '../../rehearse/rehearsal.js';

interface Row extends RehearsedChange {
  readonly name: string;
  /** What some finding says; none where clients notice nothing. */
  readonly says?: readonly RegExp[];
}

const allowed = (...allowedNetworks: readonly string[]) =>
  set(['serviceEndpoint'], { allowedNetworks });
const many = Array.from({ length: 21 }, (_, i) => `10.20.${100 + i}.0/24`);
const stack = 'api-access' as const;

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
    says: [/^10\.20\.0\.0\/18 can no longer reach/, /^10\.20\.128\.0\/17 can no longer reach/],
  },
  ...[0, 17, 20].map((index) => ({
    name: `network ${index} of 21 removed`,
    stack,
    base: allowed(...many),
    head: allowed(...many.filter((_, i) => i !== index)),
    says: [new RegExp(`^10\\.20\\.${100 + index}\\.0/24 can no longer reach agent-service:443`)],
  })),
  {
    name: 'a VPC taken out of the networks of the private zone',
    stack,
    base: set(['serviceEndpoint'], {
      privateZoneNetworks: [{ vpcId: 'vpc-9z', cidrs: ['10.99.0.0/16'] }],
      allowedNetworks: ['10.20.0.0/16', '10.99.0.0/16'],
    }),
    head: (settings) => delete member(settings, 'serviceEndpoint').privateZoneNetworks,
    says: [/^clients in vpc-9z do not resolve api\.sandbox\.example to its private address from/],
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
    head: set(['pluginEndpointService', 'loadBalancer'], {
      servers: [{ type: 'ip', ip: '10.40.1.10', port: 8081 }],
    }),
    says: [/^100\.64\.0\.0\/10 can no longer reach orders:8080 from step/],
  },
];

test.each(ROWS)('$name', async ({ says = [], ...change }) => {
  const report = await rehearseChange(change);
  const texts = report.findings.map(({ text }) => text);
  const [dialled, computed] = [texts.filter(isDialled), texts.filter((text) => !isDialled(text))];
  expect(computed).toEqual(says.map((pattern) => expect.stringMatching(pattern)));
  expect(report.outcome).toBe(says.length > 0 ? 'noticed' : 'clean');
  // A client that could not connect is one of those whose packets are told to be cut.
  const cut = computed.flatMap((text) => networksIn(text));
  const isCut = (client: string) => cut.some((network) => cidrCovers(network, parseCidr(client)));
  for (const text of dialled) {
    const clients = / for clients such as ([\d., ]+\d) /.exec(text)?.[1]?.split(', ') ?? [];
    expect(clients).not.toEqual([]);
    expect(
      clients.filter((client) => !isCut(`${client}/32`)),
      text,
    ).toEqual([]);
  }
});

const isDialled = (text: string) => / (is down|is partly cut off|stops) /.test(text);

const networksIn = (text: string) => (text.match(/[\d.]+\/\d+/g) ?? []).map(parseCidr);
