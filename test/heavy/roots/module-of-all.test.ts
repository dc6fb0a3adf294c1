import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../../support/run-cli.js';

const ROOT = `
terraform {
  required_providers {
    volcenginecc = { source = "volcengine/volcenginecc" }
  }
}
provider "volcenginecc" { region = "cn-beijing" }
module "all" {
  source = "./all"
  name   = "agent-service-api"
  tags   = { owner = "platform", ticket = "NET-1" }
}
`;

const OWN_TAGS = [
  { key: 'owner', value: 'platform' },
  { key: 'ticket', value: 'NET-1' },
];

type Values = Readonly<Record<string, unknown>>;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'module-of-all-'));
  const { $schema: _, state: __, ...all } = readJson('stacks/settings/sandbox.json');
  const check = { ...all.check, program: 'secure-connectivity' };
  const egress = { ...all.fixedIpEgress, name: '${var.name}' };
  writeFileSync(join(folder, 'tree.json'), JSON.stringify({ ...all, check }));
  writeFileSync(
    join(folder, 'all.json'),
    JSON.stringify({ ...all, tags: '${var.tags}', fixedIpEgress: egress }),
  );
  writeFileSync(join(folder, 'main.tf'), ROOT);
  mkdirSync(join(folder, '.git'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function readJson(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

async function run(...args: string[]): Promise<string> {
  const env = { TF_CLI_CONFIG_FILE: '/dev/null', NO_COLOR: '1' };
  const { exit, stdout, stderr } = await runCli(args, { cwd: folder, env });
  expect(exit, stdout + stderr).toBe(0);
  return stdout;
}

const terraform = (...args: string[]) => run('sandbox', '--own', '--', 'terraform', ...args);

/** The members of a set, in one order. */
const members = (value: unknown) =>
  (Array.isArray(value) ? value : [])
    .map((one: object) => JSON.stringify(Object.entries(one).sort()))
    .sort();

test('a module of every option has the lists of its tree, applies with its check, and plans empty', async () => {
  await run('synth', '--settings', 'tree.json', '--out', 'tree');
  await run('synth', '--settings', 'all.json', '--module', 'all');
  await terraform('init', '-input=false');
  const applied = await terraform('apply', '-auto-approve', '-input=false', '-no-color');
  expect(applied).toMatch(/\(local-exec\): .*reachable in /);
  await terraform('plan', '-input=false', '-detailed-exitcode');

  const { values } = JSON.parse(await terraform('show', '-json'));
  const made = values.root_module.child_modules[0].resources as {
    address: string;
    values: Values;
  }[];
  const { resource } = readJson(join(folder, 'tree/stacks/api-access-tree/cdk.tf.json'));
  const ofTree = (type: string, start: string) =>
    Object.entries<Values>(resource[type]).find(([name]) => name.startsWith(start))?.[1];
  const ofModule = (name: string) =>
    made.find(({ address }) => address.endsWith(`.${name}`))?.values;
  for (const [type, name, attribute] of [
    ['volcenginecc_vpc_security_group', 'fixed-ip-egress_security-group', 'egress_permissions'],
    ['volcenginecc_vpc_prefix_list', 'fixed-ip-egress_prefix-list', 'prefix_list_entries'],
  ] as const) {
    const written = members(ofTree(type, name)?.[attribute]);
    expect(written.length).toBeGreaterThanOrEqual(24);
    expect(members(ofModule(name.replaceAll('-', '_'))?.[attribute])).toEqual(written);
  }
  const tagged = made.filter(({ values: { tags } }) => Array.isArray(tags));
  expect(tagged.length).toBeGreaterThan(5);
  for (const { values: own, address } of tagged) {
    expect(own.tags, address).toEqual(expect.arrayContaining(OWN_TAGS));
  }
  await terraform('destroy', '-auto-approve', '-input=false');
});
