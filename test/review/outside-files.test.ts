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
      'of several',
      group('${length(fileset("${path.module}/../lists", "*.json"))}'),
      'volcenginecc_vpc_security_group.own',
      '${path.module}/../lists',
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
])('a file %s is no change where the trees are the same', (_, tree) => {
  expect(toldOf(tree)).toEqual([]);
});

describe('a state beside the configuration', () => {
  const config = { path: '../../../own.tfstate' };

  /** The files that are unread in a stack which has one more than its configuration. */
  async function unreadBeside(file: string, content: object) {
    const tree = await temporaryFolder();
    const folder = join(tree, 'stacks', 'own');
    mkdirSync(join(folder, '.terraform'), { recursive: true });
    const written = { terraform: { backend: { local: config } }, ...group('10.0.0.0/24') };
    writeFileSync(join(folder, 'cdk.tf.json'), JSON.stringify(written));
    const base = readTree(tree, 'base');
    writeFileSync(join(folder, file), JSON.stringify(content));
    return review(base, readTree(tree, 'head'), TODAY)
      .findings.filter(({ kind }) => kind === 'unread')
      .map(({ resource }) => resource);
  }

  test('is unread where Terraform takes it for what has been deployed', async () => {
    expect(await unreadBeside('terraform.tfstate', { version: 4 })).toEqual([
      'file terraform.tfstate',
    ]);
  });

  test.each([
    ['the same', config, []],
    ['another', { path: 'elsewhere' }, ['file .terraform/terraform.tfstate']],
  ])('of the last run, which names %s backend', async (_, of, found) => {
    const saved = { backend: { type: 'local', config: { ...of, workspace_dir: null } } };
    expect(await unreadBeside('.terraform/terraform.tfstate', saved)).toEqual(found);
  });
});
