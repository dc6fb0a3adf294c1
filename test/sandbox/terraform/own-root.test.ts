import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { isolateRun } from '../../../src/sandbox/terraform/isolate-run.js';
import { temporaryFolder } from '../../support/cleanup.js';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});

function put(name: string, text = ''): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const run = (...args: string[]) =>
  isolateRun(folder, args, {
    terraform: join(folder, '.sandbox/terraform'),
    program: ['node', 'main.js'],
    isOwn: true,
  });

test('a root runs beside the modules of its repository, on a state of the sandbox', () => {
  put('.git/HEAD');
  put('roots/a/main.tf', 'module "b" {\n  source = "../../modules/b"\n}\n');
  put('roots/a/terraform.tfstate', '{}');
  put('roots/a/.terraform/x');
  put('modules/b/main.tf');
  put('.sandbox/terraform/x');
  put('node_modules/p/index.js');
  symlinkSync('../modules/b', join(folder, 'roots/linked'));
  symlinkSync('/nowhere', join(folder, 'outside'));
  const { folder: root, args } = run('-chdir=roots/a', 'plan', '-var-file=a.tfvars');
  const at = (name: string) => join(root, '../..', name);
  expect(args).toEqual(['plan', `-var-file=${join(folder, 'roots/a/a.tfvars')}`]);
  expect(existsSync(join(root, '../../modules/b/main.tf'))).toBe(true);
  const left = ['.git', '.sandbox', 'roots/a/terraform.tfstate', 'roots/a/.terraform'];
  expect(left.filter((name) => existsSync(at(name)))).toEqual([]);
  expect([readlinkSync(at('node_modules')), readlinkSync(at('roots/linked'))]).toEqual([
    join(folder, 'node_modules'),
    '../modules/b',
  ]);
  expect(readlinkSync(at('outside'))).toBe('/nowhere');
  const override = join(root, 'zzz_sandbox_override.tf.json');
  const { path } = JSON.parse(readFileSync(override, 'utf8')).terraform.backend.local;
  expect(dirname(path)).toBe(join(folder, '.sandbox/terraform/states'));
});

test('the next run has what has changed, and what Terraform wrote stays', () => {
  put('main.tf', '1');
  put('old/a.tf');
  put('.terraform.lock.hcl', 'theirs');
  const { folder: root } = run('init');
  writeFileSync(join(root, '.terraform.lock.hcl'), 'of the sandbox');
  writeFileSync(join(root, 'plan'), 'a plan');
  put('main.tf', '22');
  rmSync(join(folder, 'old'), { recursive: true });
  put('old', 'now a file');
  expect(run('plan').folder).toBe(root);
  const texts = ['main.tf', 'old', '.terraform.lock.hcl', 'plan'].map((name) =>
    readFileSync(join(root, name), 'utf8'),
  );
  expect(texts).toEqual(['22', 'now a file', 'of the sandbox', 'a plan']);
  put('.terraform.lock.hcl', 'theirs, newer');
  run('plan');
  expect(readFileSync(join(root, '.terraform.lock.hcl'), 'utf8')).toBe('theirs, newer');
});

test('two roots of one repository have two states', () => {
  put('.git/HEAD');
  const paths = ['a', 'b'].map((name) => {
    put(`${name}/main.tf`);
    const { folder: root } = run(`-chdir=${name}`, 'plan');
    return readFileSync(join(root, 'zzz_sandbox_override.tf.json'), 'utf8');
  });
  expect(paths[0]).not.toBe(paths[1]);
});

describe('refuses', () => {
  test.each([
    ['main.tf', 'terraform {\n  cloud {\n    organization = "o"\n  }\n}\n'],
    ['main.tf', 'terraform {\n  cloud /* x */ {\n  }\n}\n'],
    ['main.tf.json', '{"terraform":{"cloud":{"organization":"o"}}}'],
    ['main.tf.json', '[{"terraform":[{"cloud":{"organization":"o"}}]}]'],
  ])('a cloud block in %s: %j', (name, text) => {
    put(name, text);
    expect(() => run('plan')).toThrow(/must have no `cloud` block.*got: main\.tf/);
    expect(existsSync(join(folder, '.sandbox'))).toBe(false);
  });

  test('an override that would be read after that of the sandbox', () => {
    put('zzzz_override.tf', 'terraform {\n  backend "http" {}\n}\n');
    expect(() => run('plan')).toThrow('must be named before zzz_sandbox_override.tf.json');
  });

  test.each([
    [['plan', '-state=other.tfstate'], '`-state` must not name a state'],
    [['apply', '/tmp/plan-of-others'], 'a plan must have been made in this sandbox'],
    [['test'], "Terraform's command in a sandbox must be one of"],
  ])('%j', (args, mistake) => {
    put('main.tf');
    expect(() => run(...args)).toThrow(mistake);
  });
});

test('refuses a plan of the repository, which holds its real backend', () => {
  put('main.tf');
  put('plan', 'made without a sandbox');
  const { folder: copy } = run('init');
  for (const plan of ['plan', join(copy, 'plan'), join(folder, 'plan')]) {
    expect(() => run('apply', plan)).toThrow('a plan must have been made in this sandbox');
  }
  rmSync(join(folder, 'plan'));
  const { folder: root } = run('plan');
  writeFileSync(join(root, 'plan'), 'made in the sandbox');
  put('.sandbox/terraform/run/plan', 'made by a deploy in the sandbox');
  for (const plan of ['plan', join(folder, '.sandbox/terraform/run/plan')]) {
    expect(run('apply', plan).args).toEqual(['apply', plan]);
  }
});

test('takes a comment for no block', () => {
  put('main.tf', 'terraform {\n  # cloud {\n  // cloud {\n  /*\n  cloud {\n  */\n}\n');
  expect(existsSync(join(run('plan').folder, 'main.tf'))).toBe(true);
});
