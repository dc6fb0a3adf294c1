import { expect, test } from 'vitest';
import { readLiveStack } from '../../src/live/live-stack.js';
import type { OpenCloud } from '../../src/live/read-outward.js';
import { answerQuestion, joinAnswers } from '../../src/reach/questions/answer.js';
import { readQuestion } from '../../src/reach/questions/read-question.js';
import { NO_TERRAFORM } from '../../src/reach/read/terraform-json.js';
import { readReached } from '../../src/reach/ways/doors.js';
import type { JsonObject } from '../../src/sandbox/json.js';
import { route } from '../../src/sandbox/network/world.js';
import { SANDBOX_SERVICE } from '../../src/sandbox/surroundings.js';
import {
  ENDPOINT,
  GROUP,
  rule,
  SERVICE_ID,
  SERVICE_NAME,
  SUBNET,
  sandboxForTest,
  VPC,
} from '../sandbox/support.js';

const ACL = 'Volcengine::VPC::NetworkAcl';
const GUARDED = '10.20.1.9';

const entry = (facts: JsonObject) => ({
  Policy: 'drop',
  Protocol: 'tcp',
  Port: '443/443',
  CidrIp: '10.20.9.0/24',
  ...facts,
});

/** An endpoint whose group lets the VPC in, behind a network ACL that nobody has in Terraform. */
async function guarded(entries: readonly JsonObject[]) {
  const { cloud } = await sandboxForTest();
  const vpc = cloud.create(VPC, { CidrBlock: '10.20.0.0/16' });
  const subnet = cloud.create(SUBNET, {
    VpcId: vpc,
    CidrBlock: '10.20.1.0/24',
    ZoneId: 'cn-beijing-a',
  });
  const group = cloud.create(GROUP, { VpcId: vpc, IngressPermissions: [rule()] });
  const endpoint = cloud.create(ENDPOINT, {
    VpcId: vpc,
    ServiceId: SERVICE_ID,
    ServiceName: SERVICE_NAME,
    SecurityGroupIds: [group],
    Zones: [{ SubnetId: subnet, ZoneId: 'cn-beijing-a', PrivateIpAddress: GUARDED }],
  });
  cloud.create(ACL, {
    VpcId: vpc,
    Resources: [{ ResourceId: subnet }],
    IngressAclEntries: [...entries],
  });
  const reader: OpenCloud = {
    get: async (type, identifier) => {
      const properties = cloud.get(type, identifier);
      return { identifier, properties };
    },
    async *pages(type) {
      yield cloud.list(type);
    },
  };
  const instance = { attributes: { id: endpoint } };
  const state = {
    resources: [
      {
        mode: 'managed',
        type: 'volcenginecc_privatelink_vpc_endpoint',
        name: 'endpoint',
        instances: [instance],
      },
    ],
  };
  const stack = { name: 'api', terraform: NO_TERRAFORM };
  const live = await readLiveStack(reader, stack, state, 100);
  const reached = readReached({ ...live, file: 'the cloud' });
  const to = 'volcenginecc_privatelink_vpc_endpoint.endpoint';
  return {
    live,
    ask: (from: string) =>
      joinAnswers(
        answerQuestion(
          [reached],
          readQuestion({ from, to: `${to}:443`, protocol: 'tcp' }, [reached]),
        ).map(({ answer }) => answer),
      ),
    dial: (from: string) =>
      route(
        { cloud: cloud.state, faults: new Set(), service: SANDBOX_SERVICE },
        { from, to: GUARDED, port: 443 },
      ),
  };
}

test('a network ACL that Terraform does not own stops what the group lets in, and the dial agrees', async () => {
  const everyone = entry({ Policy: 'accept', CidrIp: '10.20.8.0/24' });
  const { ask, dial, live } = await guarded([entry({}), everyone]);
  expect([ask('10.20.9.7'), dial('10.20.9.7')]).toEqual(['closed', 'dropped']);
  expect([ask('10.20.8.7'), dial('10.20.8.7')]).toEqual(['reachable', 'open']);
  // No entry decides about others, and the API does not say what then holds.
  expect(ask('10.20.7.7')).toBe('undecided');
  expect(live.unread).toEqual([
    expect.stringMatching(/network_acl\.nacl-\w+: a network ACL also decides on replies/),
  ]);
});

test('where the order of entries matters, nothing is decided', async () => {
  const { ask } = await guarded([entry({}), entry({ Policy: 'accept', CidrIp: '0.0.0.0/0' })]);
  expect(ask('10.20.9.7')).toBe('undecided');
  expect(ask('10.20.8.7')).toBe('reachable');
});

test('an entry that is not understood decides nothing', async () => {
  const { ask } = await guarded([
    entry({ Protocol: 'gre', Policy: 'accept', CidrIp: '0.0.0.0/0' }),
  ]);
  expect(ask('10.20.9.7')).toBe('undecided');
});
