import { expect, test } from 'vitest';
import { makeFindings } from '../../src/rehearse/report/findings.js';
import { Recorder, withoutTasks } from '../../src/rehearse/timeline/recorder.js';
import { makeAccount } from '../../src/rehearse/timeline/timeline.js';
import { Cloud } from '../../src/sandbox/cloud/cloud.js';
import { GROUP, PREFIX_LIST, rule, VPC } from '../sandbox/support.js';
import { recordedPassage } from './passage.js';

const NAME = 'volcenginecc_vpc_security_group.api';

type Rule = Record<string, unknown>;

/** The findings where the inward rules of a group change, of which some are for a list that nobody describes. */
function findingsOf(was: (list: string) => Rule[], now: (list: string) => Rule[]) {
  const recorder: Recorder = new Recorder(() => cloud.state);
  const cloud: Cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });
  const vpc = cloud.create(VPC, { CidrBlock: '10.20.0.0/16' });
  const list = cloud.create(PREFIX_LIST, {
    PrefixListName: 'others',
    IpVersion: 'IPv4',
    MaxEntries: 1,
  });
  const id = cloud.create(GROUP, { VpcId: vpc, IngressPermissions: was(list) as never });
  recorder.take();
  const before = withoutTasks(cloud.state);
  const value = now(list) as never;
  cloud.startUpdate(GROUP, id, [{ op: 'replace', path: '/IngressPermissions', value }], 'a');
  const account = makeAccount(
    recordedPassage(recorder, before, {
      addresses: new Map([
        [id, NAME],
        [list, 'pl-others'],
      ]),
      standIns: [list],
    }),
  );
  return makeFindings(account, []).map(({ kind, text }) => [
    kind,
    text.replace(list, 'pl-others').replace(/ from step 1 on: .*/, ''),
  ]);
}

const forList = (facts: Rule) => (list: string) => [
  rule({ CidrIp: '', PrefixListId: list, PortStart: 443, PortEnd: 443, ...facts }),
];

test.each<[string, Rule]>([
  ['another port', { PortStart: 8443, PortEnd: 8443 }],
  ['another policy', { Policy: 'drop' }],
  ['another priority', { Priority: 7 }],
])('a rule for what is unknown that gets %s is not clean', (_, facts) => {
  expect(findingsOf(forList({}), forList(facts))).toEqual([
    ['not-shown', `${NAME} has other rules for the prefix list pl-others`],
  ]);
});

test('one more rule for it, and one less, is told as what comes and what goes', () => {
  const none = () => [rule()];
  const two = (list: string) => [
    ...none(),
    ...forList({})(list),
    ...forList({ PortStart: 8443, PortEnd: 8443 })(list),
  ];
  const has = ['not-shown', `${NAME} has the prefix list pl-others`];
  const hasNot = ['not-shown', `${NAME} no longer has the prefix list pl-others`];
  const hasOther = ['not-shown', `${NAME} has other rules for the prefix list pl-others`];
  expect(findingsOf(none, two)).toEqual([has]);
  expect(findingsOf(two, none)).toEqual([hasNot]);
  const one = (list: string) => two(list).slice(0, 2);
  expect(findingsOf(one, two)).toEqual([hasOther]);
  expect(findingsOf(two, one)).toEqual([hasOther]);
  expect(findingsOf(two, two)).toEqual([]);
});
