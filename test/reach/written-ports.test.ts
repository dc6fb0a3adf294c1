import { expect, test } from 'vitest';
import { answerQuestion } from '../../src/reach/questions/answer.js';
import { readQuestion } from '../../src/reach/questions/read-question.js';
import { readTerraform } from '../../src/reach/read/terraform-json.js';
import { readReached } from '../../src/reach/ways/doors.js';

const PLACE = 'volcenginecc_vpc_security_group.callers';

function answersOf(rule: object) {
  const common = { cidr_ip: '10.30.1.0/24', policy: 'accept', priority: 1, description: '' };
  const callers = {
    vpc_id: 'vpc-1a2b',
    ingress_permissions: [{ ...common, direction: 'ingress', ...rule }],
    egress_permissions: [],
  };
  const resource = { volcenginecc_vpc_security_group: { callers } };
  const terraform = readTerraform({ resource });
  const reached = readReached({ name: 'test', file: 'cdk.tf.json', terraform });
  const question = readQuestion({ from: '10.30.1.7', to: `${PLACE}:443`, protocol: 'tcp' }, [
    reached,
  ]);
  return answerQuestion([reached], question).map(({ answer }) => answer);
}

test.each([
  [{ protocol: 'all', port_start: -1, port_end: -1 }, 'reachable'],
  [{ protocol: 'all', port_start: '-1', port_end: '-1' }, 'reachable'],
  [{ protocol: 'all' }, 'reachable'],
  [{ protocol: 'tcp', port_start: '-1', port_end: -1 }, 'reachable'],
  [{ protocol: 'tcp', port_start: '443', port_end: '0443' }, 'reachable'],
  [{ protocol: 'icmp', port_start: '-1', port_end: '-1' }, 'closed'],
  [{ protocol: 'all', port_start: '443', port_end: '443' }, 'undecided'],
  [{ protocol: 'all', port_start: '${var.port}', port_end: -1 }, 'undecided'],
  [{ protocol: 'tcp', port_start: '1/65535', port_end: '1/65535' }, 'undecided'],
  [{ protocol: 'tcp' }, 'undecided'],
  [{ protocol: 'TCP', port_start: 443, port_end: 443 }, 'undecided'],
])('a rule of %j is %s', (rule, answer) => {
  expect(answersOf(rule)).toEqual([answer]);
});
