import { beforeEach, expect, test } from 'vitest';
import { readTerraform } from '../../../src/reach/read/terraform-json.js';
import type { RehearsedTree } from '../../../src/rehearse/read-trees.js';
import { makeFindings } from '../../../src/rehearse/report/findings.js';
import { Recorder, withoutTasks } from '../../../src/rehearse/timeline/recorder.js';
import { makeAccount } from '../../../src/rehearse/timeline/timeline.js';
import { Cloud } from '../../../src/sandbox/cloud/cloud.js';
import {
  buildBalancer,
  ENDPOINT,
  endpointInput,
  GROUP,
  LISTENER,
  type Network,
  rule,
  SUBNET,
  subnetInput,
  VPC,
} from '../../sandbox/support.js';
import { recordedPassage } from '../passage.js';
import { NOTHING_UNDERSTOOD } from '../understood.js';

type AccessRule = NonNullable<RehearsedTree[number]['access']>['rules'][number];

const recorder: Recorder = new Recorder(() => cloud.state);
let cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });
beforeEach(() => {
  cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });
});

const ADDRESSES = {
  group: 'volcenginecc_vpc_security_group.guard',
  endpoint: 'volcenginecc_privatelink_vpc_endpoint.api',
};

function buildPlace(i: number): Network {
  const vpc = cloud.create(VPC, { CidrBlock: `10.${20 + i}.0.0/16` });
  const subnet = cloud.create(SUBNET, subnetInput(vpc, { CidrBlock: `10.${20 + i}.1.0/24` }));
  const group = cloud.create(GROUP, {
    VpcId: vpc,
    IngressPermissions: [rule({ CidrIp: '10.50.0.0/16' })],
    EgressPermissions: [],
  });
  return { vpc, subnet, group };
}

/** The texts of what a change does to whom the rules of two stacks name alike. */
function textsOf(
  change: () => unknown,
  named: readonly (readonly [id: string, address: string])[],
  rules: AccessRule[] = [],
): string[] {
  recorder.take();
  const before = withoutTasks(cloud.state);
  change();
  const terraform = readTerraform({});
  const access = { schema: '', stack: 'own', digest: '', rules };
  const tree = [{ name: 'own', folder: '', terraform, access, understood: NOTHING_UNDERSTOOD }];
  const account = makeAccount(
    recordedPassage(recorder, before, {
      stack: 'own',
      addresses: new Map(named),
      trees: [tree, tree],
    }),
  );
  return makeFindings(account, []).map(({ text }) => text);
}

const narrow = (group: string) =>
  cloud.startUpdate(
    GROUP,
    group,
    [
      {
        op: 'replace',
        path: '/IngressPermissions',
        value: [rule({ CidrIp: '10.50.0.0/17' })] as never,
      },
    ],
    'narrow',
  );

test('what the group of one stack loses, the group of another under the same address does not make good', () => {
  const groups = [buildPlace(0), buildPlace(1)].map(({ group }) => group);
  const named = groups.map((id) => [id, ADDRESSES.group] as const);
  const [first = ''] = groups;
  expect(textsOf(() => narrow(first), named)).toEqual([
    `10.50.128.0/17 can no longer reach ${ADDRESSES.group} (${first}):443 from step 1 on (lost for good: the change removes it)`,
  ]);
});

const STATED: AccessRule = {
  ...{ via: 'service-endpoint', direction: 'ingress', subject: 'api', reason: 'a test' },
  ...{ peer: { kind: 'cidr', cidr: '10.50.0.0/16' }, protocol: 'tcp' },
  ports: { first: 443, last: 443 },
  carriers: [ADDRESSES.group],
};

/** Terraform's addresses of an endpoint and its group. */
const namesOf = (endpoint: string, { group }: Network) =>
  [
    [endpoint, ADDRESSES.endpoint],
    [group, ADDRESSES.group],
  ] as const;

test('nor does the endpoint of another stack, where one access rule names both', () => {
  const places = [buildPlace(0), buildPlace(1)];
  const ids = places.map((network) => cloud.create(ENDPOINT, endpointInput(network)));
  const named = places.flatMap((network, i) => namesOf(ids[i] ?? '', network));
  expect(textsOf(() => narrow(places[1]?.group ?? ''), named, [STATED])).toEqual([
    `10.50.128.0/17 can no longer reach api:443 through ${ADDRESSES.endpoint} (${ids[1]}) from step 1 on (lost for good: the change removes it)`,
  ]);
});

test('an endpoint that stands alone is named by its rule alone', () => {
  const network = buildPlace(0);
  const id = cloud.create(ENDPOINT, endpointInput(network));
  const named = namesOf(id, network);
  expect(textsOf(() => narrow(network.group), named, [STATED])).toEqual([
    '10.50.128.0/17 can no longer reach api:443 from step 1 on (lost for good: the change removes it)',
  ]);
});

const listener = (backend: string): AccessRule => ({
  ...{ via: 'plugin-endpoint-service', direction: 'ingress', subject: `${backend}-listener` },
  ...{ peer: { kind: 'cidr', cidr: '100.64.0.0/10' }, protocol: 'tcp', reason: 'a test' },
  ports: { first: 80, last: 80 },
  carriers: [`${LISTENER_TYPE}.${backend}`],
});

const LISTENER_TYPE = 'volcenginecc_clb_listener';

test.each([
  ['orders', 'tickets'],
  ['tickets', 'orders'],
])('of two listeners that are stated alike, each has the name of the rule that names it: %s, %s', (...backends) => {
  const balancers = backends.map(() => buildBalancer(cloud));
  const named = balancers.map(
    ({ listener: id }, i) => [id, `${LISTENER_TYPE}.${backends[i]}`] as const,
  );
  const stop = () => cloud.startDelete(LISTENER, balancers[0]?.listener ?? '', 'stop');
  expect(textsOf(stop, named, ['orders', 'tickets'].map(listener))).toEqual([
    `100.64.0.0/10 can no longer reach ${backends[0]}-listener:80 from step 1 on (lost for good: the change removes it)`,
  ]);
});
