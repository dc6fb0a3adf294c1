import { TerraformResource, TerraformStack } from 'cdktf';
import { expect, test } from 'vitest';
import { judgeIntents } from '../../src/reach/intents/judge-intents.js';
import { judgedStack } from '../../src/reach/intents/scope.js';
import { readQuestion } from '../../src/reach/questions/read-question.js';
import { reachReport } from '../../src/reach/questions/report.js';
import { readTerraform } from '../../src/reach/read/terraform-json.js';
import { reachDocument } from '../../src/reach/reports/document.js';
import { QUESTIONS } from '../../src/reach/rules/rule-list.js';
import { ASSUMED, type AssumedId } from '../../src/reach/semantics.js';
import { readReached } from '../../src/reach/ways/doors.js';
import { documentAsText } from '../../src/report/text.js';
import { expectAccess } from '../../src/testing/index.js';
import { addEndpoint, testingApp } from '../support/testing-app.js';

const ENTRY = { protocol: 'tcp', port_start: 443, port_end: 443, policy: 'accept', priority: 10 };
const OUT = '198.51.100.7';

const entry = (policy: string, cidr: string) => ({
  ...{ policy, protocol: 'tcp', port: '443', cidr_ip: cidr, description: '' },
});
const policy = (action: string) => ({
  ...{ action, direction: 'out', proto: 'TCP', status: true, prio: 1, repeat_type: 'Permanent' },
  ...{ source: '0.0.0.0/0', source_type: 'net', dest_port: '443', dest_port_type: 'port' },
  ...{ destination: `${OUT}/32`, destination_type: 'net', description: 'x' },
});
const GROUP = 'volcenginecc_vpc_security_group.own';
const ENDPOINT = 'volcenginecc_privatelink_vpc_endpoint.own';

/** An endpoint in a subnet that a network ACL guards. */
const STACK = {
  volcenginecc_vpc_security_group: {
    own: {
      vpc_id: 'vpc-1',
      ingress_permissions: [{ ...ENTRY, cidr_ip: '10.0.0.0/8' }],
    },
  },
  volcenginecc_privatelink_vpc_endpoint: {
    own: {
      ...{ vpc_id: 'vpc-1', zones: [{ subnet_id: 'subnet-1' }] },
      security_group_ids: [`\${${GROUP}.id}`],
    },
  },
  volcenginecc_vpc_network_acl: {
    own: {
      resources: [{ resource_id: 'subnet-1' }],
      ingress_acl_entries: [entry('accept', '10.0.0.0/15'), entry('drop', '10.1.0.0/16')],
    },
  },
};
const WORKERS = 'volcenginecc_vpc_security_group.out';
const stack = (resource: object = STACK) => ({
  name: 'api',
  file: 'cdk.tf.json',
  terraform: readTerraform({ resource }),
});

test('each question in doubt is one that a kind of list leaves open', () => {
  const asked = Object.values(QUESTIONS).filter((question) => question !== undefined);
  expect(asked.toSorted()).toEqual(Object.keys(ASSUMED).toSorted());
});

const out = (cidr_ip: string) => ({
  volcenginecc_vpc_security_group: { out: { egress_permissions: [{ ...ENTRY, cidr_ip }] } },
});
const GUARDED = {
  ...out('0.0.0.0/0'),
  volcenginecc_fwcenter_control_policy: { a: policy('accept'), b: policy('deny') },
};

test.each<
  [what: string, from: string, to: string, depends: AssumedId | undefined, resource?: object]
>([
  ['a packet that two entries of an ACL match', '10.1.0.1', ENDPOINT, 'network-acl-order'],
  ['a packet that no entry of an ACL matches', '10.9.0.1', ENDPOINT, 'network-acl-order'],
  ['a packet that one entry of an ACL matches', '10.0.0.1', ENDPOINT, undefined],
  ['a packet out that no rule decides', WORKERS, OUT, 'group-outward', out('192.0.2.0/24')],
  ['a packet that two policies match', WORKERS, OUT, 'firewall-same-position', GUARDED],
  ['a packet that no policy matches', WORKERS, '192.0.2.1', undefined, GUARDED],
])('%s: reach and intents name the question', (_, from, to, depends, resource) => {
  const written = { from, to: `${to}:443`, protocol: 'tcp' };
  const reached = [readReached(stack(resource))];
  const report = reachReport(reached, { ...written, question: readQuestion(written, reached) });
  expect(report.question?.answer).toBe(depends === undefined ? 'reachable' : 'undecided');
  const sentences = report.question?.places.flatMap((place) => place.depends) ?? [];
  const found = Object.entries(ASSUMED).flatMap(([id, { question }]) =>
    sentences.some((one) => one.startsWith(question)) ? [id] : [],
  );
  expect([sentences.length, found]).toEqual(depends === undefined ? [0, []] : [1, [depends]]);
  expect(documentAsText(reachDocument(report)).includes('depends on')).toBe(depends !== undefined);
  const intent = { name: 'no', from, to, port: 443, expect: 'closed' } as const;
  const [judged] = judgeIntents({ intents: [intent] }, [judgedStack(readReached(stack(resource)))]);
  expect(judged?.verdict).toBe(depends === undefined ? 'broken' : 'undecided');
});

test('an assertion does not hold where it depends on a question in doubt', () => {
  const made = new TerraformStack(testingApp(), 'test');
  addEndpoint(made, 'service');
  const given = new TerraformResource(made, 'workers', {
    terraformResourceType: 'volcenginecc_vpc_security_group',
  });
  given.addOverride('egress_permissions', [{ ...ENTRY, cidr_ip: '192.0.2.0/24' }]);
  const to = { to: OUT, port: 443 };
  expect(() => expectAccess(made).toDenyAll(to)).toThrow('which depends on: ');
  expect(() => expectAccess(made).toAllow(to)).toThrow();
});
