import { expect, test } from 'vitest';
import { list, object, text } from '../../../src/reach/read/json.js';
import { makeFindings } from '../../../src/rehearse/report/findings.js';
import { Recorder, withoutTasks } from '../../../src/rehearse/timeline/recorder.js';
import { makeAccount } from '../../../src/rehearse/timeline/timeline.js';
import { Cloud } from '../../../src/sandbox/cloud/cloud.js';
import { buildNetwork, ENDPOINT, endpointInput, RECORD, VPC, ZONE } from '../../sandbox/support.js';
import { recordedPassage } from '../passage.js';

const NAME = 'api.sandbox.example';
const TEXT = `clients in other can no longer resolve ${NAME} to its endpoint`;

type Name = 'own' | 'other' | 'third';

/** Rehearses changes of the VPCs that a zone is bound to: the endpoint's, and `other` or a third one. */
function bind(before: readonly Name[], ...after: readonly (readonly Name[])[]) {
  const recorder: Recorder = new Recorder(() => cloud.state);
  const cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });
  const network = buildNetwork(cloud);
  const endpoint = cloud.create(ENDPOINT, endpointInput(network));
  const ids = {
    own: network.vpc,
    other: cloud.create(VPC, { CidrBlock: '10.70.0.0/16' }),
    third: cloud.create(VPC, { CidrBlock: '10.71.0.0/16' }),
  };
  const vpcs = (names: readonly Name[]) =>
    names.map((name) => ({ Region: 'cn-beijing', VpcId: ids[name] }));
  const zone = cloud.create(ZONE, { ZoneName: NAME, Vpcs: vpcs(before) });
  const Value = object(list(cloud.get(ENDPOINT, endpoint).Zones)[0]).PrivateIpAddress;
  cloud.create(RECORD, { ZID: Number(zone), Host: '@', Type: 'A', TTL: 600, Value: text(Value) });
  recorder.take();
  const state = withoutTasks(cloud.state);
  for (const [i, names] of after.entries())
    cloud.startUpdate(
      ZONE,
      zone,
      [{ op: 'replace', path: '/Vpcs', value: vpcs(names) as never }],
      `${i}`,
    );
  const addresses = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  return makeFindings(makeAccount(recordedPassage(recorder, state, { addresses })), []);
}

test('a zone that is no longer bound to a VPC cuts its clients off, whichever other VPC it gets', () => {
  const lost = `${TEXT} from step 1 on (lost for good: the change removes it)`;
  expect(bind(['own', 'other'], ['own', 'third'])).toMatchObject([
    { kind: 'cut', from: 1, what: NAME, text: lost },
  ]);
  expect(bind(['own', 'other'], ['own']).map(({ text }) => text)).toEqual([lost]);
});

test('one that is bound again is interrupted', () => {
  expect(bind(['own', 'other'], ['own'], ['own', 'other']).map(({ text }) => text)).toEqual([
    `${TEXT}, interrupted from step 1 to 2`,
  ]);
});

test('one that is bound to one more cuts nobody', () => {
  expect(bind(['own', 'other'], ['own', 'other', 'third'])).toEqual([]);
});

test('clients in the VPC of the endpoint are followed by the lane of its link', () => {
  expect(bind(['own', 'other'], ['other'])).toEqual([]);
});
