import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { intentsReportSchema } from '../../../src/reach/intents/report.js';
import { StandInTerraform } from '../../sandbox/provider/stand-in-terraform.js';
import { temporaryFolder } from '../../support/cleanup.js';
import { runHere } from '../../support/run-here.js';
import { rootOf, shown } from './planned.js';

/** A first plan of HCL with a module: what lets the clerks in is known, and what lets the partner in is not. */
const FILES = {
  'main.tf': `
module "shop" {
  source   = "./shop"
  for_each = { "north/1" = "10.20.1.0/24" }
  clerks   = each.value
  partner  = terraform_data.partner.id
}
resource "terraform_data" "partner" {}
`,
  'shop/main.tf': `
terraform {
  required_providers {
    volcenginecc = { source = "volcengine/volcenginecc" }
  }
}
variable "clerks" { type = string }
variable "partner" { type = string }
resource "volcenginecc_vpc_vpc" "own" { cidr_block = "10.20.0.0/16" }
resource "volcenginecc_vpc_security_group" "orders" {
  vpc_id              = volcenginecc_vpc_vpc.own.id
  security_group_name = "orders"
  egress_permissions  = []
  ingress_permissions = [for port, cidr in { "443" = var.clerks, "8443" = "\${var.partner}/32" } : {
    policy = "accept", priority = 1, protocol = "tcp", port_start = tonumber(port), port_end = tonumber(port)
    direction = "ingress", description = "", cidr_ip = cidr
    source_group_id = "", prefix_list_id = ""
  }]
}
`,
};

const GROUP = 'module.shop["north/1"].volcenginecc_vpc_security_group.orders';

let terraform: StandInTerraform;
let plan: string;
beforeAll(async () => {
  terraform = await StandInTerraform.start();
  const root = await rootOf(terraform, FILES);
  plan = join(root.folder, 'plan.json');
  writeFileSync(plan, await shown(root));
}, 60_000);
afterAll(() => terraform.stop());

/** Asks the plan for intents. */
async function judged(...intents: readonly object[]) {
  const file = join(await temporaryFolder(), 'intents.json');
  writeFileSync(file, JSON.stringify({ intents }));
  const args = ['reach', '--plan', plan, '--intents', file, '--format', 'json'];
  return { file, ...(await runHere(args)) };
}

const closed = { to: GROUP, expect: 'closed' };

test('intents of a first plan hold, are broken with a packet, or depend on what only the deploy knows', async () => {
  const { exit, stdout, stderr } = await judged(
    {
      ...closed,
      name: 'the clerks use orders',
      from: '10.20.1.0/24',
      port: 443,
      expect: 'reachable',
    },
    { ...closed, name: 'no clerk uses orders', from: '10.20.1.0/24', port: 443 },
    { ...closed, name: 'nobody else has 443', from: { not: ['10.20.1.0/24'] }, port: 443 },
    { ...closed, name: 'nobody has 8443', from: '198.51.100.0/24', port: 8443 },
    { ...closed, name: 'nobody has 22', from: 'internet', port: 22 },
  );
  expect([exit, stderr]).toEqual([4, '']);
  const { rows } = intentsReportSchema.parse(JSON.parse(stdout));
  expect(rows.map(({ name, proof }) => [name, proof?.result])).toEqual([
    ['the clerks use orders', 'holds'],
    ['no clerk uses orders', 'broken'],
    ['nobody else has 443', 'holds'],
    ['nobody has 8443', 'not decided'],
    ['nobody has 22', 'holds'],
  ]);
  expect(rows[1]?.proof).toMatchObject({ packet: expect.stringContaining('10.20.1.') });
  expect(rows[3]?.proof?.detail).toContain('depends on: ');
});

test('without a broken one, what is not decided ends with 0 and is named', async () => {
  const { exit, stdout } = await judged({
    ...{ ...closed, name: 'nobody has 8443', from: '198.51.100.0/24', port: 8443 },
  });
  expect(exit).toBe(0);
  expect(stdout).toContain('not decided');
});

test('an intent about a name that nothing has is refused', async () => {
  const { exit, stdout, stderr } = await judged({
    ...{ name: 'typo', from: '10.20.1.0/24', to: 'ordres', expect: 'closed' },
  });
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toContain('ordres');
});
