import { expect, test } from 'vitest';
import { makeFindings } from '../../../src/rehearse/report/findings.js';
import { Recorder, withoutTasks } from '../../../src/rehearse/timeline/recorder.js';
import { makeAccount } from '../../../src/rehearse/timeline/timeline.js';
import { Cloud } from '../../../src/sandbox/cloud/cloud.js';
import { SANDBOX_SERVICE } from '../../../src/sandbox/surroundings.js';
import {
  buildNetwork,
  ENDPOINT,
  endpointInput,
  GROUP,
  rule,
  SUBNET,
  subnetInput,
  VPC,
} from '../../sandbox/support.js';

const ZONE = 'Volcengine::PrivateZone::PrivateZone';
const NAME = 'api.sandbox.example';
const RECORD = 'Volcengine::PrivateZone::Record';

function buildZone(
  cloud: Cloud,
  vpc: string,
  time: number,
): readonly [zone: string, record: string] {
  cloud.startCreate(
    ZONE,
    { ZoneName: NAME, Vpcs: [{ Region: 'cn-beijing', VpcId: vpc }] },
    `zone ${time}`,
  );
  const zone = cloud.list(ZONE).at(-1)?.identifier ?? '';
  const record = { ZID: Number(zone), Host: '@', Type: 'A', Value: '10.20.1.1' };
  cloud.startCreate(RECORD, record, `record ${time}`);
  return [zone, cloud.list(RECORD).at(-1)?.identifier ?? ''];
}

/** The findings once the private zone of a VPC is gone. */
function lose(then: (cloud: Cloud, vpc: string) => void, isKnown = true) {
  const recorder: Recorder = new Recorder(() => cloud.state);
  const cloud: Cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });
  const vpc = cloud.create(VPC, { CidrBlock: '10.20.0.0/16' });
  const [zone, record] = buildZone(cloud, vpc, 1);
  recorder.take();
  const before = withoutTasks(cloud.state);
  cloud.startDelete(RECORD, record, 'a');
  cloud.startDelete(ZONE, zone, 'b');
  then(cloud, vpc);
  const account = makeAccount({
    before,
    steps: recorder.take().map((step) => ({ ...step, stack: 'own' })),
    links: { before: new Map(), after: new Map() },
    addresses: new Map(isKnown ? [[vpc, 'volcenginecc_vpc_vpc.network']] : []),
    trees: [],
    service: SANDBOX_SERVICE,
  });
  return { vpc, findings: makeFindings(account, []) };
}

test('a private name is lost to the VPC that lost its zone, by the address of the VPC', () => {
  const { findings } = lose(() => undefined);
  expect(findings).toEqual([
    expect.objectContaining({
      kind: 'cut',
      text: 'clients in volcenginecc_vpc_vpc.network do not resolve api.sandbox.example to its private address from step 1 on',
      remedy: expect.stringMatching(/or keep their VPC and this name in the private zone$/),
    }),
  ]);
});

test('a VPC that no stack creates keeps its id', () => {
  const { vpc, findings } = lose(() => undefined, false);
  expect(findings[0]?.text).toContain(`clients in ${vpc} do not resolve`);
});

test('the name is lost for good to a VPC that is deleted, though another one has it', () => {
  const { findings } = lose((cloud, vpc) => {
    buildZone(cloud, buildNetwork(cloud).vpc, 2);
    cloud.startDelete(VPC, vpc, 'c');
  });
  expect(findings.map(({ text }) => text)).toEqual([
    'clients in volcenginecc_vpc_vpc.network, which is deleted, do not resolve api.sandbox.example to its private address from step 1 on',
  ]);
});

test('a name that comes again is lost for the steps between', () => {
  const { findings } = lose((cloud, vpc) => {
    buildZone(cloud, vpc, 2);
  });
  expect(findings[0]?.text).toMatch(/ from step 1 until step 4$/);
});

const LINKS = new Map([
  [
    'api',
    {
      accessDigest: '',
      links: [
        {
          ...{ name: 'api', via: 'service-endpoint' as const, baseUrl: `https://${NAME}` },
          ...{ apiHost: NAME, expectedAddresses: [], expectedNetworks: [] },
        },
      ],
    },
  ],
]);

interface MadePrivate {
  /** The clients that the endpoint lets in. */
  readonly letIn: string;
  /** True if the zone is bound to another VPC than the endpoint's. */
  readonly isElsewhere?: boolean;
  readonly isStandIn?: boolean;
  readonly isRecursive?: boolean;
}

/** The findings where a VPC of 10.20.0.0/16 gets a private zone with the name of the service. */
function makePrivate({ letIn, isElsewhere, isStandIn, isRecursive = true }: MadePrivate) {
  const recorder: Recorder = new Recorder(() => cloud.state);
  const cloud: Cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });
  const network = buildNetwork(cloud, [rule({ CidrIp: letIn })]);
  const endpoint = cloud.create(ENDPOINT, endpointInput(network));
  const other = cloud.create(VPC, { CidrBlock: '10.99.0.0/16' });
  cloud.create(SUBNET, subnetInput(other, { CidrBlock: '10.99.1.0/24' }));
  const vpc = isElsewhere === true ? other : network.vpc;
  const [{ PrivateIpAddress = '' } = {}] = cloud.get(ENDPOINT, endpoint).Zones as {
    PrivateIpAddress: string;
  }[];
  recorder.take();
  const before = withoutTasks(cloud.state);
  const Vpcs = [{ Region: 'cn-beijing', VpcId: vpc }];
  cloud.startCreate(ZONE, { ZoneName: NAME, RecursionMode: isRecursive, Vpcs }, 'zone');
  const zone = cloud.list(ZONE).at(-1)?.identifier ?? '';
  const record = { ZID: Number(zone), Host: '@', Type: 'A', Value: PrivateIpAddress };
  cloud.startCreate(RECORD, record, 'record');
  const account = makeAccount({
    before,
    steps: recorder.take().map((step) => ({ ...step, stack: 'own' })),
    links: { before: new Map(), after: LINKS },
    addresses: new Map([[vpc, 'volcenginecc_vpc_vpc.network']]),
    trees: [],
    service: SANDBOX_SERVICE,
    standIns: isStandIn === true ? [vpc] : [],
  });
  return makeFindings(account, []).map(({ kind, text }) => `${kind}: ${text}`);
}

const PRIVATE = `clients in volcenginecc_vpc_vpc.network resolve ${NAME} to a private address in place of its public one from step 2 on:`;
const ROUTE = 'it is in another VPC, to which they need a route';

test.each([
  ['all are let in', { letIn: '10.20.0.0/16' }, []],
  [
    'a half is let in',
    { letIn: '10.20.0.0/17' },
    [`cut: ${PRIVATE} no rule lets 10.20.128.0/17 in there`],
  ],
  ['nobody says who they are', { letIn: '10.20.0.0/17', isStandIn: true }, []],
  [
    'they are in another VPC',
    { letIn: '10.0.0.0/8', isElsewhere: true },
    [`client-change: ${PRIVATE} ${ROUTE}`],
  ],
  [
    'they are in another VPC, and not let in',
    { letIn: '10.20.0.0/16', isElsewhere: true },
    [`cut: ${PRIVATE} no rule lets 10.99.0.0/16 in there, and ${ROUTE}`],
  ],
  [
    'they are in another VPC, and nobody says who they are',
    { letIn: '10.99.128.0/17', isElsewhere: true, isStandIn: true },
    [`client-change: ${PRIVATE} the rules let only 10.99.128.0/17 in there, and ${ROUTE}`],
  ],
  [
    'the zone hides the name before it has it',
    { letIn: '10.20.0.0/16', isRecursive: false },
    [
      `cut: clients in volcenginecc_vpc_vpc.network do not resolve ${NAME} at all during step 1`,
      'not-shown: clients in volcenginecc_vpc_vpc.network no longer find names below api.sandbox.example in public DNS from step 1 on, only those of the private zone: which others they need is not shown',
    ],
  ],
])('a name made private is told of the clients that lose its public way: %s', (_, made, told) => {
  expect(makePrivate(made)).toEqual(told);
});

/** The findings of a change in a zone of the endpoint's VPC, of which a half is let in. */
function changeZone(
  facts: {
    readonly letIn: string;
    readonly standIn?: string;
    readonly RecursionMode?: boolean;
    /** The address that `www` leads to at first. @default - there is no such name */
    readonly www?: string;
  },
  change: (cloud: Cloud, zone: string, address: string) => void,
) {
  const recorder: Recorder = new Recorder(() => cloud.state);
  const cloud: Cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });
  const network = buildNetwork(cloud, [rule({ CidrIp: facts.letIn })]);
  const foreign = cloud.create(GROUP, { VpcId: network.vpc });
  const SecurityGroupIds = [network.group, ...(facts.standIn === undefined ? [] : [foreign])];
  const endpoint = cloud.create(ENDPOINT, endpointInput(network, { SecurityGroupIds }));
  const [{ PrivateIpAddress = '' } = {}] = cloud.get(ENDPOINT, endpoint).Zones as {
    PrivateIpAddress: string;
  }[];
  const Vpcs = [{ Region: 'cn-beijing', VpcId: network.vpc }];
  const { RecursionMode = true } = facts;
  const zone = cloud.create(ZONE, { ZoneName: NAME, RecursionMode, Vpcs });
  if (facts.www !== undefined) addRecord('www')(cloud, zone, facts.www || PrivateIpAddress);
  recorder.take();
  const before = withoutTasks(cloud.state);
  change(cloud, zone, PrivateIpAddress);
  const account = makeAccount({
    before,
    steps: recorder.take().map((step) => ({ ...step, stack: 'own' })),
    links: { before: new Map(), after: new Map() },
    addresses: new Map([[network.vpc, 'volcenginecc_vpc_vpc.network']]),
    trees: [],
    service: SANDBOX_SERVICE,
    standIns: facts.standIn === undefined ? [] : [foreign],
  });
  return makeFindings(account, []).map(({ kind, text }) => `${kind}: ${text}`);
}

const addRecord = (Host: string) => (cloud: Cloud, zone: string, Value: string) =>
  cloud.startCreate(RECORD, { ZID: Number(zone), Host, Type: 'A', Value }, `record ${Host}`);

test.each(['www', '*'])('a name that a later record makes private is told as well: %s', (host) => {
  const name = `${host}.${NAME}`;
  expect(changeZone({ letIn: '10.20.0.0/17' }, addRecord(host))).toEqual([
    `cut: clients in volcenginecc_vpc_vpc.network resolve ${name} to a private address in place of its public one from step 1 on: no rule lets 10.20.128.0/17 in there`,
  ]);
  expect(changeZone({ letIn: '10.20.0.0/16' }, addRecord(host))).toEqual([]);
});

const leadTo = (value: string) => (cloud: Cloud) => {
  const record = cloud.list(RECORD).at(-1)?.identifier ?? '';
  cloud.startUpdate(RECORD, record, [{ op: 'replace', path: '/Value', value }], 'www');
};
const OWN_ENDPOINT = '';

test.each([
  [
    'to an address without an endpoint',
    OWN_ENDPOINT,
    leadTo('10.20.1.99'),
    [
      'cut: clients in volcenginecc_vpc_vpc.network resolve www.api.sandbox.example to 10.20.1.99 from step 1 on, where no endpoint is',
    ],
  ],
  [
    'to a second endpoint that lets a half in',
    OWN_ENDPOINT,
    (cloud: Cloud) => {
      const [{ identifier = '' } = {}] = cloud.list(VPC);
      const [subnet] = cloud.list(SUBNET);
      const group = cloud.create(GROUP, {
        VpcId: identifier,
        IngressPermissions: [rule({ CidrIp: '10.20.0.0/17' })],
      });
      const network = { vpc: identifier, subnet: subnet?.identifier ?? '', group };
      const second = cloud.create(ENDPOINT, endpointInput(network));
      const [zone] = cloud.get(ENDPOINT, second).Zones as { PrivateIpAddress: string }[];
      leadTo(zone?.PrivateIpAddress ?? '')(cloud);
    },
    [
      'cut: clients in volcenginecc_vpc_vpc.network resolve www.api.sandbox.example to other addresses from step 1 on: no rule lets 10.20.128.0/17 in there',
    ],
  ],
  [
    'while its endpoint goes',
    OWN_ENDPOINT,
    (cloud: Cloud) =>
      cloud.startDelete(ENDPOINT, cloud.list(ENDPOINT)[0]?.identifier ?? '', 'endpoint'),
    [
      expect.stringMatching(
        /^cut: clients in volcenginecc_vpc_vpc\.network resolve www\.api\.sandbox\.example to 10\.20\.1\.\d+ from step 1 on, where no endpoint is$/,
      ),
    ],
  ],
  [
    'from one address of others to another',
    '10.20.1.98',
    leadTo('10.20.1.99'),
    [
      'not-shown: clients in volcenginecc_vpc_vpc.network resolve www.api.sandbox.example to other addresses from step 1 on: whether what they need answers there is not shown',
    ],
  ],
] as const)('a private name that leads elsewhere is told: %s', (_, www, change, told) => {
  expect(changeZone({ letIn: '10.20.0.0/16', www }, change)).toEqual(
    expect.arrayContaining([...told]),
  );
});

test('whom the rules of a group let in that no tree makes, is not shown', () => {
  const facts = { letIn: '10.20.0.0/17', standIn: 'group' };
  expect(changeZone(facts, addRecord('www'))).toEqual([
    `not-shown: clients in volcenginecc_vpc_vpc.network resolve www.${NAME} to a private address in place of its public one from step 1 on: whether the rules let 10.20.0.0/16 in there is not shown`,
  ]);
});

test('a zone that is no longer recursive hides names that no tree has', () => {
  const change = (isRecursive: boolean) => (cloud: Cloud, zone: string) => {
    const value = isRecursive as never;
    cloud.startUpdate(ZONE, zone, [{ op: 'replace', path: '/RecursionMode', value }], 'zone');
  };
  const hides = `not-shown: clients in volcenginecc_vpc_vpc.network no longer find names below ${NAME} in public DNS from step 1 on, only those of the private zone: which others they need is not shown`;
  const facts = { letIn: '10.20.0.0/16' };
  expect(changeZone(facts, change(false))).toEqual([hides]);
  expect(changeZone({ ...facts, RecursionMode: false }, change(true))).toEqual([]);
});

test('which of two zones of one name counts is not shown, once they answer otherwise than before', () => {
  const ids: string[] = [];
  const found = changeZone({ letIn: '10.20.0.0/16' }, (cloud, zone, address) => {
    const facts = { ZoneName: NAME, RecursionMode: true };
    cloud.startCreate(ZONE, { ...facts, Vpcs: [] }, 'second');
    const second = cloud.list(ZONE).at(-1)?.identifier ?? '';
    // The cloud refuses the second zone of a VPC: here others have bound it all the same.
    Object.assign(cloud.state.resources[ZONE]?.[second] ?? {}, {
      Vpcs: cloud.get(ZONE, zone).Vpcs,
    });
    ids.push(zone, second);
    addRecord('api')(cloud, second, address);
  });
  expect(found).toEqual([
    `not-shown: clients in volcenginecc_vpc_vpc.network may find api.${NAME} otherwise from step 2 on: of the private zones ${ids.join(' and ')}, which have one name, it is in ${ids[1]}, and which of them counts there is not shown`,
  ]);
});
