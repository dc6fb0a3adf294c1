import { expect, test } from 'vitest';
import { asTerraform } from '../../src/reach/read/cloud-state.js';
import { stackWith } from '../../src/reach/read/terraform-json.js';
import type { RuleList } from '../../src/reach/rules/reading.js';
import { readReached } from '../../src/reach/ways/doors.js';
import type { CloudState } from '../../src/sandbox/cloud/cloud-state.js';
import { routeBehind } from '../../src/sandbox/network/world.js';
import { SANDBOX_SERVICE } from '../../src/sandbox/surroundings.js';
import { buildBalancer, emptyCloud, INTERFACE, SUBNET, subnetInput } from '../sandbox/support.js';
import { runs } from '../support/samples.js';
import { randomOf } from './two-engines.js';

const NETWORK_ACL = 'Volcengine::VPC::NetworkAcl';
const BLOCKS = [
  '100.64.0.0/10',
  '100.64.0.0/11',
  '100.96.0.0/11',
  '0.0.0.0/0',
  '10.0.0.0/8',
] as const;

/** The ends of those blocks: what holds for them holds for the whole of the balancer's network. */
const CALLERS = ['100.64.0.0', '100.95.255.255', '100.96.0.0', '100.127.255.255'] as const;

/** A server behind a balancer, in a subnet of its own or not, with random network ACLs on both subnets. */
function randomServer(seed: number) {
  const random = randomOf(seed);
  const cloud = emptyCloud();
  const { vpc, subnet, group } = buildBalancer(cloud, { AclStatus: 'off', Port: 8080 });
  const other = cloud.create(SUBNET, subnetInput(vpc, { CidrBlock: '10.20.2.0/24' }));
  const entry = (_: unknown, i: number) => ({
    Description: `entry ${i}`,
    ...{ Policy: random.pick(['accept', 'accept', 'drop']), CidrIp: random.pick(BLOCKS) },
    ...{ Protocol: random.pick(['tcp', 'all']), Port: '-1/-1' },
  });
  const acl = (at: string) =>
    cloud.create(NETWORK_ACL, {
      VpcId: vpc,
      Resources: [{ ResourceId: at }],
      IngressAclEntries: Array.from({ length: 1 + random.next(2) }, entry),
    });
  acl(random.pick([subnet, other]));
  if (random.next(2) === 0) {
    const PrimaryIpAddress = { PrivateIpAddress: '10.20.1.10' };
    const SubnetId = random.pick([subnet, other]);
    cloud.create(INTERFACE, { PrimaryIpAddress, SubnetId, SecurityGroupIds: [group] });
  }
  return { state: cloud.state, vpc };
}

function gateOf(state: CloudState): RuleList {
  const terraform = stackWith(asTerraform(state));
  const { ways } = readReached({ name: '', file: '', terraform });
  const doors = ways.flatMap(({ series }) => series);
  const gate = doors.find(({ list, backend }) => list.kind === 'gate' && backend !== undefined);
  if (gate === undefined) throw new Error('no backend');
  return gate.list;
}

test('a listener is closed where the ACL of its server stops the balancer in the sandbox, and open where it does not', () => {
  const wrong: string[] = [];
  const seen = { open: 0, closed: 0, doubted: 0 };
  for (let seed = 0; seed < runs(200); seed += 1) {
    const { state, vpc } = randomServer(seed);
    const world = { cloud: state, faults: new Set<never>(), service: SANDBOX_SERVICE };
    const isOpen = CALLERS.every(
      (from) => routeBehind(world, { from, to: '10.20.1.10', port: 8080 }, vpc) === 'open',
    );
    const { rules } = gateOf(state);
    const isDoubted = rules.some(({ doubt }) => doubt !== undefined);
    const isCertain = rules.every(({ isAccept }) => isAccept);
    seen[isDoubted ? 'doubted' : isCertain ? 'open' : 'closed'] += 1;
    if (!isDoubted && isCertain !== isOpen) wrong.push(`cloud ${seed}`);
  }
  expect(wrong).toEqual([]);
  expect(Object.values(seen).every((count) => count > runs(10))).toBe(true);
});
