import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTree } from '../../src/reach/read/read-tree.js';
import { review } from '../../src/review/review.js';
import { temporaryFolder } from '../support/cleanup.js';
import { reviewOfTerraform, TODAY } from './trees.js';

const group = (cidr: string, more: object = {}) => ({
  resource: {
    volcenginecc_vpc_security_group: {
      own: {
        ingress_permissions: [
          { cidr_ip: cidr, policy: 'accept', priority: 1, protocol: 'tcp', port_start: 443 },
        ],
        ...more,
      },
    },
  },
});

/** The tree against itself: what neither tree holds may have changed all the same. */
function toldOf(tree: Record<string, unknown>) {
  return reviewOfTerraform(tree, tree).findings.filter(({ kind }) => kind === 'unread');
}

describe('a file outside of the tree needs approval though both trees are the same', () => {
  test.each<[where: string, tree: Record<string, unknown>, place: string, file: string]>([
    [
      'in a rule',
      group('${trimspace(file("../../lists/cidr.txt"))}'),
      'volcenginecc_vpc_security_group.own',
      '../../lists/cidr.txt',
    ],
    [
      'through a local that names a local',
      {
        ...group('${local.cidr}'),
        locals: { cidr: '${local.all[0]}', all: '${jsondecode(file("/etc/lists.json"))}' },
      },
      'volcenginecc_vpc_security_group.own',
      '/etc/lists.json',
    ],
    [
      'of the home folder, as a template',
      { provider: { volcenginecc: { region: '${templatefile("~/region", {})}' } } },
      'provider.volcenginecc',
      '~/region',
    ],
    [
      'named by an expression',
      group('${file(var.path)}'),
      'volcenginecc_vpc_security_group.own',
      'a file',
    ],
    [
      'called behind comments',
      group('${file /* a * b */ # c\n("../../lists/cidr.txt")}'),
      'volcenginecc_vpc_security_group.own',
      '../../lists/cidr.txt',
    ],
    [
      'as the key of a map',
      { ...group('${keys(local.cidrs)[0]}'), locals: { cidrs: { '${file("/a")}': 1 } } },
      'volcenginecc_vpc_security_group.own',
      '/a',
    ],
    [
      'of several',
      group('${length(fileset("${path.module}/../lists", "*.json"))}'),
      'volcenginecc_vpc_security_group.own',
      '${path.module}/../lists',
    ],
    [
      'that a review does not compare',
      group('${jsondecode(file("${path . root}/./access.json")).cidr}'),
      'volcenginecc_vpc_security_group.own',
      '${path . root}/./access.json',
    ],
    [
      'through an attribute that decides nothing where it is',
      {
        resource: {
          terraform_data: { a: { input: '${core :: file("/a")}' } },
          ...group('${(terraform_data.a).output}').resource,
        },
      },
      'volcenginecc_vpc_security_group.own',
      '/a',
    ],
    [
      'of the environment',
      group('${terraform . workspace == "a" ? "0.0.0.0/0" : "10.0.0.0/8"}'),
      'volcenginecc_vpc_security_group.own',
      'terraform.workspace',
    ],
    [
      'as a module',
      { module: { network: { source: '../../modules/network' } } },
      'module.network',
      '../../modules/network',
    ],
    [
      'of a data source',
      { data: { local_file: { list: { filename: '../list.txt' } } } },
      'data.local_file.list',
      '../list.txt',
    ],
  ])('%s', (_, tree, place, file) => {
    const findings = toldOf(tree);
    expect(findings).toContainEqual(
      expect.objectContaining({
        resource: place,
        decision: 'needs-approval',
        after: expect.stringMatching(/^unread \(SHA-256 [\da-f]{16}…\), perhaps different$/),
        consequence: `it reads ${file}, outside of the tree, where no change can be seen`,
      }),
    );
  });
});

test.each<[what: string, tree: Record<string, unknown>]>([
  ['in the folder of the stack', group('${file("assets/cidr.txt")}')],
  ['beside the configuration', group('${file("${path.module}/cidr.txt")}')],
  ['of a label', group('10.0.0.0/24', { description: '${file("../../text.txt")}' })],
  ['of a local that nothing uses', { ...group('10.0.0.0/24'), locals: { a: '${file("/a")}' } }],
  ['in words alone', group('10.0.0.0/24', { security_group_name: 'file("/a")' })],
  ['behind an escape', group('10.0.0.0/24', { description: '$${file("/a")}' })],
  ['in a text', group('10.0.0.0/24', { description: '${upper("file(0) $${file(1)}")}' })],
  ['in a comment', group('10.0.0.0/24', { description: '${1 /* file("/a") */}' })],
])('a file %s is no change where the trees are the same', (_, tree) => {
  expect(toldOf(tree)).toEqual([]);
});

const CALLS: readonly string[] = [
  '${file/**/("/a")}',
  '${file # x\n("/a")}',
  '${core::file("/a")}',
  '${templatefile("/a", {})}',
  '%{ if fileexists("/a") }x%{ endif }',
  '${"${"${file("/a")}"}"}',
  '${<<E\n${file("/a")}\nE\n}',
  '${keys({ (file("/a")) = 1 })[0]}',
  '${local . a}',
  '${fileset("assets", "../../*")}',
  '${pathexpand("~")}',
  '${provider::others::read("a")}',
  '${templatestring(local.b, {})}',
  '${a_function_of_tomorrow()}',
  '${"a text without its end',
];

test.each(CALLS)('what a label shows of the machine that deploys is told, as of %s', (call) => {
  const locals = { a: '${file("/a")}', b: '$${file("/a")}' };
  const [base, head] = ['x', call].map((description) => ({
    ...group('10.0.0.0/24', { description }),
    locals,
  }));
  expect(reviewOfTerraform(base ?? {}, head ?? {}).findings).toContainEqual(
    expect.objectContaining({
      kind: 'unread',
      decision: 'needs-approval',
      consequence: expect.stringMatching(
        /^it shows .*, (?:a file )?of the machine that deploys, in the plan/,
      ),
    }),
  );
});

test.each([
  '${local . x}',
  '${local/**/.\n  x}',
  '${"${upper(local . x)}"}',
  '%{ if true }${local . x}%{ endif }',
  '${keys({ "${local . x}" = 1 })[0]}',
  '${terraform_data . r . input}',
  '${resource.terraform_data.r["in${"p"}ut"]}',
])('a name behind %s is another where its value is', (value) => {
  const [base, head] = ['com.good', 'com.evil'].map((x) => ({
    locals: { x },
    resource: {
      terraform_data: { r: { input: x } },
      volcenginecc_privatezone_record: { a: { zid: 1, host: 'x', type: 'CNAME', value } },
    },
  }));
  expect(reviewOfTerraform(base ?? {}, head ?? {}).findings).toContainEqual(
    expect.objectContaining({ kind: 'destination', decision: 'needs-approval' }),
  );
});

/** The files that are unread in a stack which has more of them than its configuration. */
async function unreadBeside(config: object, files: Readonly<Record<string, string>>) {
  const tree = await temporaryFolder();
  const folder = join(tree, 'stacks', 'own');
  mkdirSync(join(folder, '.terraform'), { recursive: true });
  writeFileSync(join(folder, 'cdk.tf.json'), JSON.stringify(config));
  const base = readTree(tree, 'base');
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content);
  return review(base, readTree(tree, 'head'), TODAY)
    .findings.filter(({ kind }) => kind === 'unread')
    .map(({ resource }) => resource);
}

describe('a state beside the configuration', () => {
  const config = { path: '../../../own.tfstate' };
  const written = { terraform: { backend: { local: config } }, ...group('10.0.0.0/24') };

  test('is unread where Terraform takes it for what has been deployed', async () => {
    const file = 'terraform.tfstate';
    expect(await unreadBeside(written, { [file]: '{"version":4}' })).toEqual([`file ${file}`]);
  });

  test.each([
    ['the same', config, []],
    ['another', { path: 'elsewhere' }, ['file .terraform/terraform.tfstate']],
  ])('of the last run, which names %s backend', async (_, of, found) => {
    const saved = { backend: { type: 'local', config: { ...of, workspace_dir: null } } };
    const files = { '.terraform/terraform.tfstate': JSON.stringify(saved) };
    expect(await unreadBeside(written, files)).toEqual(found);
  });
});

test.each<[template: string, found: readonly string[]]>([
  ['${upper(name)} $${file("/a")}', []],
  ['${file("/a")}', ['file a.tpl']],
  ['${', ['file a.tpl']],
])('a template of the stack that holds %s', async (template, found) => {
  const tree = await temporaryFolder();
  const folder = join(tree, 'stacks', 'own');
  mkdirSync(folder, { recursive: true });
  const config = group('10.0.0.0/24', { description: '${templatefile("a.tpl", { name = "a" })}' });
  writeFileSync(join(folder, 'cdk.tf.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'a.tpl'), template);
  const { findings } = review(readTree(tree, 'base'), readTree(tree, 'head'), TODAY);
  expect(findings.flatMap((one) => (one.kind === 'unread' ? one.resource : []))).toEqual(found);
});

const runs = (command: string) => ({
  resource: { null_resource: { own: { provisioner: [{ 'local-exec': { command } }] } } },
});

describe('intents are no unread file, unless something may use their file for another thing', () => {
  const unread = ['file intents.json'];

  test.each<[by: string, config: object, found: readonly string[]]>([
    ['nothing', group('10.0.0.0/24'), []],
    ['words alone', group('10.0.0.0/24', { description: 'see intents.json' }), []],
    ['another function', group('${cidrsubnet("10.0.0.0/8", 8, 1)}'), []],
    ['a function', group('${file("intents.json")}'), unread],
    ['a call over two lines', group('${file\n("intents.json")}'), unread],
    ['a directive', group('%{ if fileexists("intents.json") }0.0.0.0/0%{ endif }'), unread],
    ['a key', { locals: { '${file("intents.json")}': 1 } }, unread],
    ['a program', runs('sh intents.json'), unread],
    ['a data source', { data: { local_file: { a: { filename: 'intents.json' } } } }, unread],
    ['a module', { module: { a: { source: './a' } } }, unread],
  ])('used by %s', async (_, config, found) => {
    expect(await unreadBeside(config, { 'intents.json': '{"intents":[]}' })).toEqual(found);
  });

  test('used by a function of a provider, which may read others as well', async () => {
    const config = group('${provider::local::read("intents.json")}');
    const found = [...unread, 'volcenginecc_vpc_security_group.own'];
    expect(await unreadBeside(config, { 'intents.json': '{"intents":[]}' })).toEqual(found);
  });

  test('used by HCL', async () => {
    const files = { 'intents.json': '{"intents":[]}', 'more.tf': 'locals { }' };
    expect(await unreadBeside(group('10.0.0.0/24'), files)).toEqual(
      expect.arrayContaining(['file more.tf', ...unread]),
    );
  });
});
