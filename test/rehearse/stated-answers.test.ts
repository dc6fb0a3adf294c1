import { expect, test } from 'vitest';
import { withoutTasks } from '../../src/rehearse/timeline/recorder.js';
import { compareSteps, readAccess } from '../../src/rehearse/ways/cloud-access.js';
import { readWays } from '../../src/rehearse/ways/ways.js';
import { passesBorder } from '../../src/sandbox/network/firewalls.js';
import { groupsAccept } from '../../src/sandbox/network/groups.js';
import { stackOf } from '../review/trees.js';
import { buildNetwork, emptyCloud, GROUP, POLICY, rule } from '../sandbox/support.js';
import { NOTHING_UNDERSTOOD } from './understood.js';

const SEEN = { seen: '2026-11-20', how: 'dialled from a test VPC' };

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

function tree(answer?: string) {
  const value = { 'group-outward': { ...SEEN, answer } };
  const terraform = answer === undefined ? {} : { output: { 'cloud-decisions': { value } } };
  return [{ ...stackOf([], terraform), folder: '', understood: NOTHING_UNDERSTOOD }];
}

test.each<[what: string, base: string | undefined, head: string | undefined, lost: string[]]>([
  ['without an answer', undefined, undefined, ['198.51.100.0/24']],
  ['by the answer "closed"', 'closed', undefined, ['198.51.100.0/24']],
  ['by the answer "open"', 'open', undefined, []],
  ['not by an answer that the head gives', undefined, 'open', ['198.51.100.0/24']],
])('cuts what a group no longer accepts outward, %s', (_, base, head, lost) => {
  const trees = [tree(base), tree(head)];
  const read = STATES.map((state) => readWays(state, trees).read);
  const access = readAccess(STATES, read, trees);
  expect(compareSteps(access)[0]?.lost.map(({ peer }) => peer)).toEqual(lost);
});

test('is told by the sandbox of a packet that no rule decides', () => {
  const passes = (answer?: 'open' | 'closed') => {
    const decisions = answer && { 'group-outward': { ...SEEN, answer } };
    const packet = { peer: '203.0.113.1', port: 443, ...(decisions && { decisions }) };
    return groupsAccept(cloud.state, [group], 'egress', packet);
  };
  expect([passes(), passes('closed'), passes('open')]).toEqual([false, false, true]);
});

test('is told by the sandbox of policies of one position', () => {
  const border = emptyCloud({ taskPolls: 0 });
  for (const Action of ['accept', 'deny']) {
    border.create(POLICY, {
      ...{ Action, Direction: 'out', Proto: 'TCP', Status: true, Prio: 1, Description: Action },
      ...{ Source: '0.0.0.0/0', SourceType: 'net', DestPort: '443', DestPortType: 'port' },
      ...{ Destination: '203.0.113.1/32', DestinationType: 'net', RepeatType: 'Permanent' },
    });
  }
  const passes = (answer?: 'open' | 'closed') => {
    const decisions = answer && { 'firewall-same-position': { ...SEEN, answer } };
    const to = { from: '10.0.0.1', to: '203.0.113.1', port: 443, names: [] };
    const way = { direction: 'out', ...to, ...(decisions && { decisions }) } as const;
    return passesBorder(border.state, way);
  };
  expect([passes('closed'), passes('open')]).toEqual([false, true]);
});
