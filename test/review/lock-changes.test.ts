import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockChanges } from '../../src/review/lock-changes.js';
import { temporaryFolder } from '../support/cleanup.js';
import { runHere } from '../support/run-here.js';

const provider = (source: string, version: string, ...hashes: string[]) =>
  `provider "registry.terraform.io/${source}" {
  version     = "${version}"
  constraints = ">= 0.0.53, < 0.1.0"
  hashes = [
${hashes.map((hash) => `    "h1:${hash}=",\n`).join('')}  ]
}
`;

const CLOUD = 'volcengine/volcenginecc';

async function treeWith(lock: string): Promise<string> {
  const tree = await temporaryFolder();
  const stack = join(tree, 'stacks/api');
  mkdirSync(stack, { recursive: true });
  writeFileSync(join(stack, 'cdk.tf.json'), '{"output":{"a":{"value":1}}}');
  writeFileSync(join(stack, '.terraform.lock.hcl'), `# made by "terraform init"\n\n${lock}`);
  return tree;
}

test.each([
  [provider(CLOUD, '0.0.53', 'a'), provider(CLOUD, '0.0.53', 'a'), []],
  [
    provider(CLOUD, '0.0.53', 'a'),
    provider(CLOUD, '0.0.60', 'b'),
    [`api: the lock file has ${CLOUD} 0.0.60 in place of 0.0.53.`],
  ],
  [
    provider(CLOUD, '0.0.53', 'a', 'b'),
    provider(CLOUD, '0.0.53', 'c'),
    [`api: the lock file has ${CLOUD} 0.0.53 as before, with other hashes: 1 added, 2 removed.`],
  ],
  [
    provider('hashicorp/null', '3.2.4', 'a'),
    provider(CLOUD, '0.0.53', 'a'),
    [
      'api: the lock file has hashicorp/null no longer, which was 3.2.4.',
      `api: the lock file has ${CLOUD} 0.0.53, which it did not have.`,
    ],
  ],
])('a lock file %# is told in words', async (before, after, said) => {
  expect(lockChanges(await treeWith(before), await treeWith(after), ['api'])).toEqual(said);
});

test('a stack without a lock file has none that changed', async () => {
  const tree = await treeWith(provider(CLOUD, '0.0.53', 'a'));
  expect(lockChanges(tree, tree, ['other'])).toEqual([]);
});

test('a review has the words among its notes, and needs approval as before', async () => {
  const base = await treeWith(provider(CLOUD, '0.0.53', 'a'));
  const head = await treeWith(provider(CLOUD, '0.0.60', 'b'));
  const { exit, stdout } = await runHere(['review', '--base', base, '--head', head]);
  expect([exit, stdout.replaceAll(/\s+/g, ' ')]).toEqual([
    3,
    expect.stringContaining(`api: the lock file has ${CLOUD} 0.0.60 in place of 0.0.53.`),
  ]);
});
