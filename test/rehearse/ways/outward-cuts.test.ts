import { expect, test } from 'vitest';
import { withoutTasks } from '../../../src/rehearse/timeline/recorder.js';
import { compareSteps } from '../../../src/rehearse/timeline/timeline.js';
import { readAccess } from '../../../src/rehearse/ways/cloud-access.js';
import { readWays } from '../../../src/rehearse/ways/ways.js';
import { groupsAccept } from '../../../src/sandbox/network/groups.js';
import { stackOf } from '../../review/trees.js';
import { buildNetwork, emptyCloud, GROUP, rule } from '../../sandbox/support.js';
import { NOTHING_UNDERSTOOD } from '../understood.js';

const cloud = emptyCloud({ taskPolls: 0 });
const { group } = buildNetwork(cloud);

/** The cloud with other rules outward. */
function withRules(...networks: readonly string[]) {
  const value = networks.map((CidrIp) => rule({ CidrIp, Direction: 'egress' }));
  const patch = [{ op: 'replace', path: '/EgressPermissions', value }] as const;
  cloud.startUpdate(GROUP, group, [...patch], '');
  return withoutTasks(cloud.state);
}

const STATES = [withRules('192.0.2.0/24', '198.51.100.0/24'), withRules('192.0.2.0/24')];

test('what a group no longer accepts outward is cut, though the cloud may let it pass', () => {
  const tree = [{ ...stackOf([], {}), folder: '', understood: NOTHING_UNDERSTOOD }];
  const states = STATES.map((cloud) => ({ cloud, reached: readWays(cloud, [tree, tree]) }));
  const access = readAccess(states);
  expect(compareSteps(access)[0]?.lost.map(({ peer }) => peer)).toEqual(['198.51.100.0/24']);
});

test('the sandbox drops a packet outward that no rule decides', () => {
  const packet = { peer: '203.0.113.1', port: 443 };
  expect(groupsAccept(cloud.state, [group], 'egress', packet)).toBe(false);
});
