import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accessModel } from '../../src/access/access-model.js';
import type { AccessRule } from '../../src/access/access-rule.js';
import { reviewReportSchema } from '../../src/review/report-schema.js';
import { readTreeFiles, treeDigest } from '../../src/terraform/tree-digest.js';
import { temporaryFolder } from '../support/cleanup.js';
import { runHere } from '../support/run-here.js';
import { elsewhere, from } from './trees.js';

async function run(...args: readonly string[]) {
  const { exit: status, ...texts } = await runHere(args, { env: { NO_COLOR: '1' } });
  return { status, ...texts };
}

/** Writes a tree as `cdktf synth` lays it out. */
async function tree(rules: readonly AccessRule[]): Promise<string> {
  const folder = await temporaryFolder();
  const stack = join(folder, 'stacks', 'api-access');
  mkdirSync(stack, { recursive: true });
  writeFileSync(join(stack, 'cdk.tf.json'), '{"terraform":{}}');
  writeFileSync(
    join(stack, 'access.json'),
    JSON.stringify(accessModel('api-access', rules.map(elsewhere))),
  );
  return folder;
}

const narrow = [from('10.0.0.0/24')];
const wide = [from('10.0.0.0/23')];

describe('exit status', () => {
  test.each<[what: string, status: number, base: AccessRule[], head: AccessRule[]]>([
    ['the same', 0, narrow, narrow],
    ['narrower', 0, wide, narrow],
    ['wider', 3, narrow, wide],
    ['forbidden', 4, narrow, [from('0.0.0.0/0')]],
  ])('%s: %i', async (_, status, base, head) => {
    const args = ['--base', await tree(base), '--head', await tree(head)];
    expect((await run('review', ...args)).status).toBe(status);
  });

  test.each<[args: string[], message: string]>([
    [[], '`review` needs `--base` and `--head`, or `--plan` alone, got: none of them'],
    [['--base', 'nowhere', '--head', 'nowhere'], '`--base` must be a folder'],
    [['--base', '9'.repeat(400), '--head', 'nowhere'], '`--base` must be a folder'],
    [['--base', 'src', '--head', 'src'], '`--base` must hold a folder `stacks`'],
    [
      ['--base', 'src', '--head', 'src', '--format', 'pdf'],
      '`--format` must be one of text, markdown, html, json, sarif, junit, ',
    ],
    [['--base', 'src', '--head', 'src', '--today', '2030-13-01'], '`--today` must be YYYY-MM-DD'],
  ])('wrong usage %j: 2', async (args, message) => {
    const { status, stderr, stdout } = await run('review', ...args);
    expect(stderr).toContain(message);
    expect([status, stdout]).toEqual([2, '']);
  });
});

describe('the tree digest', () => {
  const DATA = { data: { http: { list: { url: 'https://lists.example.com' } } } };

  async function deployable(): Promise<string> {
    const head = await tree(narrow);
    const stack = join(head, 'stacks', 'api-access');
    const entry = { name: 'api-access', workingDirectory: 'stacks/api-access' };
    writeFileSync(join(head, 'manifest.json'), JSON.stringify({ stacks: { 'api-access': entry } }));
    writeFileSync(join(stack, 'cdk.tf.json'), JSON.stringify(DATA));
    writeFileSync(join(stack, '.terraform.lock.hcl'), '');
    return head;
  }

  test('of the head is in the reports, with what it does not cover', async () => {
    const head = await deployable();
    const digest = treeDigest(readTreeFiles(head));
    const args = ['--base', head, '--head', head];
    const read = async (format: string) =>
      (await run('review', ...args, '--format', format)).stdout;
    const [text, markdown, json] = await Promise.all(['text', 'markdown', 'json'].map(read));
    expect(text).toContain(digest);
    expect(markdown).toContain(digest);
    const report = reviewReportSchema.parse(JSON.parse(json ?? ''));
    expect(report.treeDigest).toBe(digest);
    expect(report.notes.join()).toContain(
      'the tree digest does not cover what a deploy then reads by data.http.list',
    );
  });

  test.each([
    ['manifest.json', '"manifest.json" must be there'],
    [
      'stacks/api-access/.terraform.lock.hcl',
      '"stacks/api-access/.terraform.lock.hcl" must be there',
    ],
  ])('is not there without %s, and a note says why', async (file, why) => {
    const head = await deployable();
    rmSync(join(head, file));
    const args = ['--base', head, '--head', head, '--format', 'json'];
    const report = reviewReportSchema.parse(JSON.parse((await run('review', ...args)).stdout));
    expect(report.treeDigest).toBeUndefined();
    expect(report.notes.join()).toContain(
      `the tree has no digest, and \`deploy --reviewed\` refuses it: ${why}`,
    );
  });
});

test('an empty folder is the base of a first pull request', async () => {
  const head = await tree(narrow);
  const { status, stdout } = await run('review', '--base', await temporaryFolder(), '--head', head);
  expect(status).toBe(3);
  expect(stdout).toContain('The base has no stacks: everything is new.');
});

test('a tree that was cut short is named, with its file', async () => {
  const head = await tree(narrow);
  writeFileSync(join(head, 'stacks', 'api-access', 'access.json'), '{"schema":');
  const { status, stderr } = await run('review', '--base', head, '--head', head);
  expect(status).toBe(2);
  expect(stderr).toContain('access.json');
});

test('writes several formats in one run', async () => {
  const folder = await temporaryFolder();
  const [base, head] = [await tree(narrow), await tree(wide)];
  const files = {
    markdown: join(folder, 'review.md'),
    json: join(folder, 'review.json'),
    sarif: join(folder, 'review.sarif'),
    junit: join(folder, 'review.xml'),
  };
  const { stdout } = await run(
    'review',
    ...['--base', base, '--head', head],
    ...Object.entries(files).flatMap(([name, file]) => ['--format', `${name}=${file}`]),
  );
  expect(stdout).toMatch(
    /^NEEDS APPROVAL: 10\.0\.1\.0\/24 can now reach endpoint, tcp 443 through /,
  );
  expect(readFileSync(files.markdown, 'utf8')).toContain('```mermaid\nflowchart LR');
  const report = reviewReportSchema.parse(JSON.parse(readFileSync(files.json, 'utf8')));
  expect(JSON.parse(readFileSync(files.sarif, 'utf8')).runs[0].results).toHaveLength(1);
  expect(readFileSync(files.junit, 'utf8')).toContain(
    '<testsuites name="secure-connectivity review"',
  );
  expect(report.findings.map(({ who }) => who)).toEqual(['10.0.1.0/24']);
});
