import { expect, test } from 'vitest';
import { vpcSubnet, vpcVpc } from '../../src/cloud/table/vpc.js';
import { Recorder } from '../../src/rehearse/timeline/recorder.js';
import { Cloud } from '../../src/sandbox/cloud/cloud.js';
import { describeStep } from '../support/describe-step.js';

function recorded() {
  const recorder: Recorder = new Recorder(() => cloud.state);
  const cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });
  return { recorder, cloud };
}

const NETWORK = { VpcName: 'network', CidrBlock: '10.0.0.0/16' };

test('records each mutation with the cloud as it was right after it', () => {
  const { recorder, cloud } = recorded();
  cloud.startCreate(vpcVpc.cloudType, NETWORK, 'a');
  const [{ identifier: vpcId = '' } = {}] = cloud.list(vpcVpc.cloudType);
  cloud.startUpdate(
    vpcVpc.cloudType,
    vpcId,
    [{ op: 'replace', path: '/VpcName', value: 'n' }],
    'b',
  );
  cloud.startDelete(vpcVpc.cloudType, vpcId, 'c');
  const steps = recorder.take();
  expect(steps.map(describeStep)).toEqual(
    ['create', 'update', 'delete'].map((operation) => `${operation} VPC::VPC ${vpcId}`),
  );
  const names = steps.map(
    ({ cloud: { resources } }) => resources[vpcVpc.cloudType]?.[vpcId]?.VpcName,
  );
  expect(names).toEqual(['network', 'n', undefined]);
});

test('records what the cloud refuses, and why', () => {
  const { recorder, cloud } = recorded();
  const subnet = { VpcId: 'vpc-none', CidrBlock: '10.0.1.0/24', ZoneId: 'cn-beijing-a' };
  cloud.startCreate(vpcSubnet.cloudType, subnet, 'a');
  expect(recorder.take().map(describeStep)).toEqual([
    'create VPC::Subnet (refused: InvalidVpcId.NotFound: `VpcId` names nothing that exists, got: "vpc-none")',
  ]);
});

test('gives each step once, and one for a call that a client repeats', () => {
  const { recorder, cloud } = recorded();
  cloud.startCreate(vpcVpc.cloudType, NETWORK, 'same');
  cloud.startCreate(vpcVpc.cloudType, NETWORK, 'same');
  expect(recorder.take()).toHaveLength(1);
  expect(recorder.take()).toEqual([]);
});
