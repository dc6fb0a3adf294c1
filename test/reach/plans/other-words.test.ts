import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerQuestion } from '../../../src/reach/questions/answer.js';
import { readQuestion } from '../../../src/reach/questions/read-question.js';
import { StandInTerraform } from '../../sandbox/provider/stand-in-terraform.js';
import { planned, reachedOf, rootOf } from './planned.js';

let terraform: StandInTerraform;
beforeAll(async () => {
  terraform = await StandInTerraform.start();
});
afterAll(() => terraform.stop());

const VPC = 'volcenginecc_vpc_vpc.own';
const SUBNET = 'volcenginecc_vpc_subnet.own';
const ENDPOINT = 'volcenginecc_privatelink_vpc_endpoint.own';
const group = (name: string) => `volcenginecc_vpc_security_group.${name}.id`;

/** A root of HCL in which an endpoint is in a group by an expression. */
const rootWith = (groups: string) => `
terraform {
  required_providers {
    volcenginecc = { source = "volcengine/volcenginecc" }
  }
}
resource "volcenginecc_vpc_vpc" "own" { cidr_block = "10.20.0.0/16" }
resource "volcenginecc_vpc_subnet" "own" {
  vpc_id     = ${VPC}.id
  zone_id    = "cn-beijing-a"
  cidr_block = "10.20.1.0/24"
}
${['closed', 'open']
  .map(
    (name) => `resource "volcenginecc_vpc_security_group" "${name}" {
  vpc_id              = ${VPC}.id
  security_group_name = "${name}"
  egress_permissions  = []
  ingress_permissions = [{
    policy = "accept", priority = 1, protocol = "tcp", port_start = 443, port_end = 443
    direction = "ingress", description = "", cidr_ip = "${name === 'open' ? '0.0.0.0/0' : '10.20.0.0/16'}"
    source_group_id = "", prefix_list_id = ""
  }]
}
`,
  )
  .join('')}
resource "volcenginecc_privatelink_vpc_endpoint" "own" {
  endpoint_name      = "own"
  service_id         = "epsvc-1a2b"
  service_name       = "com.volces.privatelink.cn-beijing.epsvc-1a2b"
  vpc_id             = ${VPC}.id
  security_group_ids = ${groups}
  zones              = [{ zone_id = "cn-beijing-a", subnet_id = ${SUBNET}.id, private_ip_address = "10.20.1.9" }]
}
`;

test.each([
  ['one group', `[${group('closed')}]`, 'closed'],
  ['one of two groups', `[${VPC}.id == "x" ? ${group('closed')} : ${group('open')}]`, 'undecided'],
  [
    'a group, or one that nobody sees',
    `[${VPC}.id == "x" ? ${group('closed')} : "sg-1a2b"]`,
    'undecided',
  ],
  ['a list by a condition', `${VPC}.id == "x" ? [${group('closed')}] : ["sg-1a2b"]`, 'undecided'],
  ['a group beside one that exists', `[${group('closed')}, "sg-1a2b"]`, 'undecided'],
])(
  'in HCL, of which a plan has no words, an endpoint is in %s',
  async (_, groups, answer) => {
    const stack = await rootOf(terraform, { 'main.tf': rootWith(groups) });
    const reached = reachedOf({ terraform: (await planned(stack)).left });
    const written = { from: '198.51.100.7', to: `${ENDPOINT}:443`, protocol: 'tcp' };
    const places = answerQuestion([reached], readQuestion(written, [reached]));
    expect(places.map((place) => place.answer)).toEqual([answer]);
  },
  60_000,
);
