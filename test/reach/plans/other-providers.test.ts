import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readQuestion } from '../../../src/reach/questions/read-question.js';
import { reachReport } from '../../../src/reach/questions/report.js';
import { parsePlan } from '../../../src/reach/read/plan/parse-plan.js';
import { planStacks } from '../../../src/reach/read/plan/plan-stacks.js';
import { withoutOtherClouds } from '../../../src/reach/read/providers.js';
import { readStateFile } from '../../../src/reach/read/state-file.js';
import { unreadParts } from '../../../src/reach/ways/unread-parts.js';
import { readLonePlan } from '../../../src/review/lone-plans.js';
import { review } from '../../../src/review/review.js';
import { StandInTerraform } from '../../sandbox/provider/stand-in-terraform.js';
import { temporaryFolder } from '../../support/cleanup.js';
import { reachedOf, rootOf, shown } from './planned.js';

const GROUP = 'volcenginecc_vpc_security_group.orders';
const ROOT = `
terraform {
  required_providers {
    volcenginecc = { source = "volcengine/volcenginecc" }
  }
}
resource "volcenginecc_vpc_vpc" "own" { cidr_block = "10.20.0.0/16" }
resource "volcenginecc_vpc_security_group" "orders" {
  vpc_id              = volcenginecc_vpc_vpc.own.id
  security_group_name = "orders"
  egress_permissions  = []
  ingress_permissions = [{
    policy = "accept", priority = 1, protocol = "tcp", port_start = 443, port_end = 443
    direction = "ingress", description = "", cidr_ip = "10.20.0.0/16"
    source_group_id = "", prefix_list_id = ""
  }]
}
`;

let terraform: StandInTerraform;
let plan: string;
beforeAll(async () => {
  terraform = await StandInTerraform.start();
  plan = await shown(await rootOf(terraform, { 'main.tf': ROOT }));
}, 60_000);
afterAll(() => terraform.stop());

interface Other {
  readonly type: string;
  readonly source: string;
  readonly count?: number;
  readonly provisioners?: readonly object[];
}

/** The plan with objects of other providers as well, as Terraform prints them. */
function planWith(others: readonly Other[]): string {
  const json = JSON.parse(plan);
  for (const { type, source, count = 1, provisioners } of others) {
    const provider_name = `registry.terraform.io/${source}`;
    const written = { address: `${type}.own`, provider_config_key: type.split('_')[0] };
    json.configuration.root_module.resources.push({
      ...{ ...written, mode: 'managed', type, name: 'own', expressions: {} },
      ...(provisioners && { provisioners }),
    });
    for (const index of Array.from({ length: count }, (_, i) => i)) {
      const address = count === 1 ? `${type}.own` : `${type}.own[${index}]`;
      const own = { address, mode: 'managed', type, name: 'own', provider_name };
      const change = { actions: ['create'], before: null, after: {}, after_unknown: { id: true } };
      json.planned_values.root_module.resources.push({ ...own, values: {} });
      json.resource_changes.push({ ...own, change });
    }
  }
  return JSON.stringify(json);
}

/** The answer whether somebody reaches the group, and what is said to be unread. */
function answerOf(others: readonly Other[]) {
  const stack = reachedOf({ terraform: planStacks(parsePlan(planWith(others), 'plan')).left });
  const written = { from: '198.51.100.7', to: `${GROUP}:443`, protocol: 'tcp' };
  const report = reachReport([stack], { ...written, question: readQuestion(written, [stack]) });
  return { answer: report.question?.answer, unread: report.unread };
}

const aws = { type: 'aws_instance', source: 'hashicorp/aws' };

test.each<[count: string, other: Other]>([
  ['12 aws_instance', { ...aws, count: 12 }],
  ['1 aws_security_group', { type: 'aws_security_group', source: 'hashicorp/aws' }],
  ['2 google_project', { type: 'google_project', source: 'hashicorp/google', count: 2 }],
  ['1 alicloud_vpc', { type: 'alicloud_vpc', source: 'aliyun/alicloud' }],
  ['1 github_repository', { type: 'github_repository', source: 'integrations/github' }],
])('of another cloud or tool, %s is counted and decides nothing', (count, other) => {
  expect(answerOf([other])).toEqual({
    answer: 'closed',
    unread: [`${count}: of other providers, which are taken to open nothing in this cloud`],
  });
});

test.each([
  ['random_pet', 'hashicorp/random'],
  ['time_sleep', 'hashicorp/time'],
  ['tls_private_key', 'hashicorp/tls'],
  ['null_resource', 'hashicorp/null'],
])('what only computes is read: %s', (type, source) => {
  expect(answerOf([{ type, source }])).toEqual({ answer: 'closed', unread: [] });
});

const CLASSIC = { source: 'volcengine/volcengine' };

test.each<[others: readonly Other[], unread: readonly string[]]>([
  [
    [{ ...CLASSIC, type: 'volcengine_vpc' }],
    ['volcengine_vpc.own: the provider volcengine/volcengine is not read'],
  ],
  [
    [{ source: 'volcengine/volcenginecc', type: 'volcenginecc_vpc_route_entry' }],
    ['volcenginecc_vpc_route_entry.own: its type is not known'],
  ],
  [
    [
      { ...aws, count: 12 },
      { ...CLASSIC, type: 'volcengine_vpc', count: 3 },
      { source: 'volcengine/volcenginecc', type: 'volcenginecc_vpc_route_entry', count: 2 },
    ],
    [
      '3 volcengine_vpc (provider volcengine/volcengine), 2 volcenginecc_vpc_route_entry: their types are not read',
      '12 aws_instance: of other providers, which are taken to open nothing in this cloud',
    ],
  ],
  [
    [{ type: 'restapi_object', source: 'Mastercard/restapi' }],
    [
      'terraform.required_providers.restapi: Mastercard/restapi is not known',
      'restapi_object.own: its type is not known',
    ],
  ],
  [
    // A cluster makes load balancers of its own.
    [{ type: 'kubernetes_service', source: 'hashicorp/kubernetes' }],
    [
      'terraform.required_providers.kubernetes: hashicorp/kubernetes is not known',
      'kubernetes_service.own: its type is not known',
    ],
  ],
  [
    // Whose program it is, its source says, and not the name that a root has for it.
    [{ type: 'aws_instance', source: 'others/aws' }],
    [
      'terraform.required_providers.aws: others/aws is not known',
      'aws_instance.own: its type is not known',
    ],
  ],
  [
    [{ ...aws, provisioners: [{ type: 'local-exec', expressions: {} }] }],
    [
      'aws_instance.own: it runs a program, which can open anything',
      'aws_instance.own: its type is not known',
    ],
  ],
  [
    [{ type: 'random_pet', source: 'others/random' }],
    ['terraform.required_providers.random: others/random is not known'],
  ],
])('what could open something leaves the answer undecided: %j', (others, unread) => {
  expect(answerOf(others)).toEqual({ answer: 'undecided', unread });
});

test.each([
  ['as Terraform keeps it', stateOf],
  ['as `terraform show -json` prints it', shownState],
])('a state %s is read alike', async (_, write) => {
  const file = join(await temporaryFolder(), 'state.json');
  const unreadOf = (source: string) => {
    writeFileSync(file, JSON.stringify(write(source)));
    return unreadParts(withoutOtherClouds(readStateFile(file, '--state')));
  };
  expect(unreadOf('hashicorp/aws')).toEqual([]);
  expect(unreadOf('others/aws')).toEqual(['aws_instance.own: its type is not known']);
});

const OWN = { mode: 'managed', type: 'aws_instance', name: 'own' };

function stateOf(source: string) {
  const provider = `provider["registry.terraform.io/${source}"]`;
  return { version: 4, resources: [{ ...OWN, provider, instances: [{ attributes: {} }] }] };
}

function shownState(source: string) {
  const provider_name = `registry.terraform.io/${source}`;
  const one = { ...OWN, provider_name, address: 'aws_instance.own', values: {} };
  return { values: { root_module: { resources: [one] } } };
}

test('a review of the plan alone counts them in one note, and asks for approval of what is of this cloud', () => {
  const reviewOf = (others: readonly Other[]) => {
    const { base, head, ...more } = readLonePlan(planWith(others), 'net', 'plan');
    const trees = [base === undefined ? [] : [['net', base] as const], [['net', head] as const]];
    const [before, after] = trees.map((one) => new Map(one));
    if (before === undefined || after === undefined) throw new Error('no trees');
    const { drift, plan: own } = more;
    return review(before, after, '2030-06-15', { drift, plans: new Map([['net', own]]) });
  };
  const alone = reviewOf([]);
  const others = reviewOf([{ ...aws, count: 12 }]);
  expect(others.findings).toEqual(alone.findings);
  expect(others.notes.filter((note) => !alone.notes.includes(note))).toEqual([
    'net: a review does not read 12 aws_instance: of other providers, which are taken to open nothing in this cloud.',
  ]);
  const classic = reviewOf([{ ...CLASSIC, type: 'volcengine_vpc' }]);
  expect(classic.findings.filter(({ kind }) => kind === 'unread')).toMatchObject([
    { resource: 'volcengine_vpc.own', decision: 'needs-approval' },
  ]);
});
