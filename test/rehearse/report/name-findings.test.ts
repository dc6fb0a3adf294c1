import { expect, test } from 'vitest';
import { makeFindings } from '../../../src/rehearse/report/findings.js';
import { Recorder, withoutTasks } from '../../../src/rehearse/timeline/recorder.js';
import { makeAccount } from '../../../src/rehearse/timeline/timeline.js';
import { Cloud } from '../../../src/sandbox/cloud/cloud.js';
import { SANDBOX_SERVICE } from '../../../src/sandbox/surroundings.js';
import { buildNetwork, VPC } from '../../sandbox/support.js';

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
