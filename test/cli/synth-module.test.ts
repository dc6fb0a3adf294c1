import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/cleanup.js';
import { MODULE_SETTINGS } from '../support/hcl-root.js';
import { runHere } from '../support/run-here.js';

const { serviceEndpoint, network } = MODULE_SETTINGS;
const FULL = JSON.parse(readFileSync('stacks/settings/sandbox.json', 'utf8'));

/** Writes the module of settings, and reads its files. */
async function moduleOf(settings: object, folder?: string) {
  const cwd = folder ?? (await temporaryFolder());
  writeFileSync(join(cwd, 'agents.json'), JSON.stringify(settings));
  const made = await runHere(['synth', '--settings', 'agents.json', '--module', 'tf'], { cwd });
  const read = (file: string) => readFileSync(join(cwd, 'tf', file), 'utf8');
  return { ...made, cwd, read, json: (file: string) => JSON.parse(read(file)) };
}

type Blocks = Readonly<Record<string, Readonly<Record<string, object>>>>;

const addresses = (resource: Blocks) =>
  Object.entries(resource).flatMap(([type, named]) =>
    Object.keys(named).map((name) => `${type}.${name}`),
  );

test('a module leaves state, provider and ids to its callers', async () => {
  const { exit, stderr, cwd, json } = await moduleOf(MODULE_SETTINGS);
  expect([exit, stderr]).toEqual([0, '']);
  expect(readdirSync(join(cwd, 'tf'))).toEqual([
    'README.md',
    'access.json',
    'main.tf.json',
    'outputs.tf.json',
    'variables.tf.json',
    'versions.tf.json',
  ]);
  const main = json('main.tf.json');
  expect(Object.keys(main)).toEqual(['locals', 'resource']);
  expect(json('versions.tf.json')).toEqual({
    terraform: {
      required_version: '>= 1.4.0',
      required_providers: {
        volcenginecc: { source: 'volcengine/volcenginecc', version: '>= 0.0.53, < 0.1.0' },
        null: { source: 'hashicorp/null', version: '>= 3.2.0, < 4.0.0' },
      },
    },
  });
  const { vpc_id, run_check } = json('variables.tf.json').variable;
  expect(vpc_id).toMatchObject({
    type: 'string',
    nullable: false,
    description: 'id of a VPC: network.vpcId',
    validation: [{ condition: '${can(regex("^vpc-[a-zA-Z0-9]+$", var.vpc_id))}' }],
  });
  expect(run_check).toMatchObject({ type: 'bool', default: true });
  expect(Object.keys(json('outputs.tf.json').output)).toEqual([
    'connectivity',
    'rules_digest',
    'service_endpoint_base_url',
    'service_endpoint_domain',
    'service_endpoint_id',
  ]);
  const text = JSON.stringify(main);
  expect(text).not.toContain('secure-connectivity:stack');
  expect(text).not.toContain(cwd);
  expect(text.match(/secure-connectivity\/links@/g)).toHaveLength(1);
});

test('names are those of the settings, and another option beside them renames nothing', async () => {
  const one = await moduleOf(MODULE_SETTINGS);
  const own = addresses(one.json('main.tf.json').resource);
  expect(own).toEqual([
    'null_resource.check',
    'null_resource.check_preflight',
    'volcenginecc_privatelink_vpc_endpoint.service_endpoint',
    'volcenginecc_vpc_security_group.service_endpoint_security_group',
  ]);
  const { carriers } = one.json('access.json').rules[0];
  expect(carriers).toEqual(['volcenginecc_vpc_security_group.service_endpoint_security_group']);
  const { state: _, ...everything } = FULL;
  const all = addresses((await moduleOf(everything)).json('main.tf.json').resource);
  expect(all).toEqual(expect.arrayContaining(own));
  expect(all).toContain('volcenginecc_vpc_vpc.plugin_network');
  expect(all.filter((name) => !/^[a-z_]+\.[a-z][a-z0-9_]*$/.test(name))).toEqual([]);
});

test('a list of addresses stands once', async () => {
  const { state: _, ...everything } = FULL;
  const { read, json } = await moduleOf(everything);
  const text = read('main.tf.json');
  expect(text.match(/36\.110\.186\.35/g)).toHaveLength(1);
  const { locals, resource } = json('main.tf.json');
  expect(locals.fixed_ip_egress_prefix_list_addresses).toHaveLength(24);
  const { fixed_ip_egress_prefix_list: list } = resource.volcenginecc_vpc_prefix_list;
  expect(list.prefix_list_entries).toBe(
    '${[for address in local.fixed_ip_egress_prefix_list_addresses : {"cidr":address,"description":"fixed addresses of the service"}]}',
  );
});

test('all tags may be one variable, beside which a list keeps its version', async () => {
  const { state: _, $schema: __, ...everything } = FULL;
  const { json } = await moduleOf({ ...everything, tags: '${var.tags}' });
  const { tags } = json('variables.tf.json').variable;
  expect(tags).toMatchObject({ type: 'map(string)', description: 'tags of every resource: tags' });
  expect(tags.validation).toEqual([
    {
      condition: expect.stringContaining('length(var.tags) < 18 && alltrue('),
      error_message: expect.stringContaining('The variable tags must have at most 17 tags'),
    },
  ]);
  const { volcenginecc_vpc_prefix_list: lists, volcenginecc_vpc_vpc: vpcs } =
    json('main.tf.json').resource;
  const each = '[for key, value in var.tags : { key = key, value = value }]';
  expect(vpcs.network.tags).toBe(`\${${each}}`);
  expect(lists.fixed_ip_egress_prefix_list.tags).toMatch(
    /^\$\{concat\(\[\{"key":"list-version","value":"[^"]+"\}\], \[for key, value in var\.tags : /,
  );
});

test('the README has the call, with each variable', async () => {
  const { read, json } = await moduleOf(MODULE_SETTINGS);
  const readme = read('README.md');
  for (const name of Object.keys(json('variables.tf.json').variable)) {
    expect(readme).toContain(`| \`${name}\` | `);
    if (name !== 'run_check')
      expect(readme).toMatch(new RegExp(`^  ${name} += var\\.${name}$`, 'm'));
  }
  for (const name of Object.keys(json('outputs.tf.json').output)) {
    expect(readme).toContain(`| \`${name}\` | `);
  }
});

test('without a check nothing needs the null provider', async () => {
  const { json } = await moduleOf({ ...MODULE_SETTINGS, check: { mode: 'off' } });
  expect(Object.keys(json('versions.tf.json').terraform.required_providers)).toEqual([
    'volcenginecc',
  ]);
  expect(json('variables.tf.json').variable.run_check).toBeUndefined();
});

test.each([
  [
    { network: { ...network, cidrs: ['${var.cidr}'] } },
    '`network.cidrs.0` must not hold ${ or %{, which Terraform would evaluate, got: "${var.cidr}"; write the value itself; a module has variables',
  ],
  [
    { serviceEndpoint: { ...serviceEndpoint, addresses: { 'cn-beijing-a': '${var.a}' } } },
    '`serviceEndpoint.addresses.cn-beijing-a` must not hold',
  ],
  [{ project: 'a-${var.project}' }, '`project` must not hold'],
  [
    { project: '${var.vpc_id}' },
    '`network.vpcId` must be a variable of its own, got: "${var.vpc_id}", which is the cloud project in `project`',
  ],
  [
    { project: '${var.source}' },
    '`project` must be a variable of another name, got: "${var.source}"',
  ],
  [
    { state: { backend: 'local' } },
    '`state` must not be given for a module; remove it: the root that calls the module has the state',
  ],
  [{ intents: 'intents.json' }, '`intents` must not be given for a module'],
])('%j is a mistake that names the field, and nothing is written', async (more, mistake) => {
  const { exit, stderr, cwd } = await moduleOf({ ...MODULE_SETTINGS, ...more });
  expect([exit, stderr]).toEqual([2, expect.stringContaining(mistake)]);
  expect(readdirSync(cwd)).toEqual(['agents.json']);
});

test('without --module a variable is a mistake', async () => {
  const cwd = await temporaryFolder();
  writeFileSync(join(cwd, 'agents.json'), JSON.stringify(MODULE_SETTINGS));
  const { exit, stderr } = await runHere(['synth', '--settings', 'agents.json', '--out', 'tf'], {
    cwd,
  });
  expect([exit, stderr]).toEqual([2, expect.stringContaining('`network.vpcId` must not hold')]);
});

test('a second run replaces the files of the first, and leaves those of others alone', async () => {
  const { cwd, json } = await moduleOf(MODULE_SETTINGS);
  writeFileSync(join(cwd, 'tf/.terraform.lock.hcl'), '# lock');
  await moduleOf({ ...MODULE_SETTINGS, tags: {} }, cwd);
  expect(json('variables.tf.json').variable.owner).toBeUndefined();
  expect(readFileSync(join(cwd, 'tf/.terraform.lock.hcl'), 'utf8')).toBe('# lock');
  writeFileSync(join(cwd, 'tf/own.tf'), '');
  const { exit, stderr } = await moduleOf(MODULE_SETTINGS, cwd);
  expect([exit, stderr]).toEqual([2, expect.stringContaining('which holds own.tf')]);
  expect(json('variables.tf.json').variable.owner).toBeUndefined();
});

test("a folder with somebody's README is not taken", async () => {
  const cwd = await temporaryFolder();
  mkdirSync(join(cwd, 'tf'));
  writeFileSync(join(cwd, 'tf/README.md'), 'mine');
  const { exit, read } = await moduleOf(MODULE_SETTINGS, cwd);
  expect([exit, read('README.md')]).toEqual([2, 'mine']);
});

test.each([
  [['--module', 'tf'], '`--settings` is required with `--module`'],
  [['--settings', 'agents.json', '--module', 'tf', '--out', 'tf'], '--out'],
])('synth %j is wrong usage', async (flags, mistake) => {
  const { exit, stderr } = await runHere(['synth', ...flags], { cwd: await temporaryFolder() });
  expect([exit, stderr]).toEqual([2, expect.stringContaining(mistake)]);
});
