import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { namedObjects, neededTypes } from '../../src/cli/ready/needed-objects.js';
import { parseSettings } from '../../src/settings/index.js';
import { PluginAccess } from '../../stacks/plugin-access.js';
import { ENDPOINT, FIXED_IP_ACCESS, NETWORK } from '../changes/api-rows.js';
import { BALANCER, CONNECTION, FIXED_IP_PLUGIN } from '../changes/plugin-rows.js';
import type { ChangeRow, Facts, Settings } from '../changes/row.js';
import { BASE } from '../changes/settings.js';
import { EVERY_OPTION, synthesized } from '../stacks/every-option.js';

type Case = readonly [what: string, settings: Settings];

const SHIPPED: readonly Case[] = readdirSync('stacks/settings').map((file) => [
  file,
  JSON.parse(readFileSync(`stacks/settings/${file}`, 'utf8')),
]);

const OPTIONS = ['fixedIpEgress', 'pluginEndpointService', 'fixedIpIngress'] as const;

/** Every option, and each of them left out, alone, and with each of its targets left out. */
const ONE_BY_ONE: readonly Case[] = [
  ['every option', EVERY_OPTION],
  ...OPTIONS.map((name): Case => [`without ${name}`, without(EVERY_OPTION, name, 'userIdHeader')]),
  ...OPTIONS.map((name): Case => {
    const others = OPTIONS.filter((one) => one !== name);
    return [`without all but ${name}`, without(EVERY_OPTION, ...others, 'userIdHeader')];
  }),
  ...(['fixedIpEgress', 'fixedIpIngress'] as const).flatMap((name) =>
    ['securityGroup', 'prefixList', 'cloudFirewall'].map((target): Case => {
      const option = without(EVERY_OPTION[name], target);
      return [`${name} without ${target}`, { ...EVERY_OPTION, [name]: option }];
    }),
  ),
  [
    'a prefix list without a group',
    {
      ...without(EVERY_OPTION, 'fixedIpIngress'),
      fixedIpEgress: {
        ...without(EVERY_OPTION.fixedIpEgress, 'securityGroup', 'dnsServers'),
        prefixList: {},
      },
    },
  ],
  [
    'a prefix list with the only group',
    {
      ...without(
        EVERY_OPTION,
        ...[
          'serviceEndpoint',
          'network',
          'fixedIpIngress',
          'pluginEndpointService',
          'userIdHeader',
        ],
      ),
      fixedIpEgress: without(
        EVERY_OPTION.fixedIpEgress,
        ...['dnsServers', 'securityGroup', 'cloudFirewall'],
      ),
    },
  ],
];

const FACTS: Facts = {
  endpointIds: ['ep-1', 'ep-2'],
  keys: [
    { kid: 'k1', keyFile: 'keys/1.pem' },
    { kid: 'k2', keyFile: 'keys/2.pem' },
  ],
  existing: {
    vpcId: 'vpc-there',
    subnetIds: ['subnet-a', 'subnet-b'],
    otherSubnetId: 'subnet-c',
    groupId: 'sg-there',
    loadBalancerId: 'clb-there',
  },
};

const ROWS: readonly ChangeRow[] = [
  ...[...NETWORK, ...ENDPOINT, ...FIXED_IP_ACCESS],
  ...[...BALANCER, ...CONNECTION, ...FIXED_IP_PLUGIN],
];

/** The outcome of each everyday change, but for those that are refused. */
const CHANGES: readonly Case[] = ROWS.filter(
  ({ outcome }) => typeof outcome !== 'object' || outcome.refusedAt !== 'synth',
).map((row) => {
  const settings = structuredClone(BASE[row.stack]) as Settings;
  row.base?.(settings, FACTS);
  row.head(settings, FACTS);
  return [row.name, settings];
});

function without(settings: Settings, ...names: readonly string[]): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !names.includes(name)));
}

function parsed(settings: Settings) {
  return parseSettings(JSON.stringify(settings), 'settings/test.json');
}

/** Types of the cloud that the stacks of the settings make, but for connections, which are found by their service alone. */
function madeTypes(settings: Settings): string[] {
  const stacks = PluginAccess.isNamed(parsed(settings)) ? ['plugin-access' as const] : [];
  const types = ['api-access' as const, ...stacks].flatMap((stack) =>
    Object.keys(synthesized(stack, settings).json.resource ?? {}),
  );
  const own = types.filter((type) => type.startsWith('volcenginecc_'));
  return [...new Set(own)]
    .filter((type) => type !== 'volcenginecc_privatelink_vpc_endpoint_connection')
    .sort();
}

/** Ids in the JSON of settings, of what `ready` can look up. */
function idsIn(value: unknown): string[] {
  const text = JSON.stringify(value);
  const ids = [
    ...text.matchAll(/"((?:vpc|subnet|sg|clb)-\w+)"/g),
    ...text.matchAll(/"zoneId":(\d+)/g),
  ];
  return [...new Set(ids.map(([, id = '']) => id))].sort();
}

/** The settings that are given, and the way that is taken where `true` or an object is: values of one kind make the same types. */
function shape(value: unknown): string {
  if (typeof value === 'boolean') return `${value}`;
  if (typeof value !== 'object' || value === null) return '';
  if (Array.isArray(value)) return shape(value[0]);
  const members = Object.entries(value).filter(([name]) => name !== 'tags');
  return `{${members.map(([name, inner]) => name + shape(inner)).sort()}}`;
}

const ALL = [
  ...new Map([...CHANGES, ...ONE_BY_ONE, ...SHIPPED].map((one) => [shape(one[1]), one])).values(),
];

test.each(ALL)('what is read is what the stacks make and name: %s', (_, settings) => {
  const needed = neededTypes(parsed(settings)).map(({ type }) => type);
  expect(needed.toSorted()).toEqual(madeTypes(settings));
  const named = namedObjects(parsed(settings)).map(({ id }) => id);
  expect([...new Set(named)].sort()).toEqual(idsIn(settings));
});

test('each id is looked up as what it is', () => {
  const prefixes = {
    vpc_vpc: 'vpc-',
    vpc_subnet: 'subnet-',
    vpc_security_group: 'sg-',
    clb_clb: 'clb-',
  };
  for (const [, settings] of ALL) {
    for (const { row, id } of namedObjects(parsed(settings))) {
      const prefix = prefixes[row.type.replace('volcenginecc_', '') as keyof typeof prefixes];
      if (prefix !== undefined) expect(id).toMatch(new RegExp(`^${prefix}`));
    }
  }
});
