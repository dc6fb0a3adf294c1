import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { isolateRun } from '../../../src/sandbox/terraform/isolate-run.js';
import { temporaryFolder } from '../../support/cleanup.js';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  mkdirSync(join(folder, 'stack'));
  mkdirSync(join(folder, 'sandbox'));
});

function put(name: string, content: unknown): void {
  writeFileSync(join(folder, 'stack', name), JSON.stringify(content));
}

const run = (...args: string[]) =>
  isolateRun(join(folder, 'stack'), args, {
    terraform: join(folder, 'sandbox'),
    program: ['node', 'main.js'],
    isOwn: false,
  });

test('runs Terraform in a folder of the sandbox, on a state of the sandbox', () => {
  put('cdk.tf.json', { terraform: { backend: { http: { address: 'http://127.0.0.1:9' } } } });
  put('zz_override.tf.json', { terraform: { backend: { s3: { bucket: 'states' } } } });
  const { folder: place, args } = run('plan', '-var-file', 'a.tfvars');
  expect(place.startsWith(join(folder, 'sandbox'))).toBe(true);
  expect(args).toEqual(['plan', '-var-file', join(folder, 'stack', 'a.tfvars')]);
  const written = JSON.parse(readFileSync(join(place, 'cdk.tf.json'), 'utf8'));
  const { path } = written.terraform.backend.local;
  expect(path.startsWith(join(folder, 'sandbox', 'states'))).toBe(true);
});

describe('refuses', () => {
  test.each([
    'main.tf',
    'zz_override.tf',
    'a.tofu',
    'b.tofu.json',
  ])('%s in one sentence, beside JSON and alone', (name) => {
    put(name, {});
    const sentence =
      'a stack in a sandbox must be in `.tf.json` files, as `secure-connectivity synth` writes them, got: ';
    expect(() => run('plan')).toThrow(
      `${sentence}${name}, which \`--own\` runs, in ${join(folder, 'stack')}`,
    );
    put('cdk.tf.json', {});
    expect(() => run('plan')).toThrow(sentence);
  });

  test('no hidden file, which Terraform does not load', () => {
    put('.#main.tf', {});
    put('cdk.tf.json', { output: { a: { value: 1 } } });
    expect(readdirSync(run('plan').folder)).toEqual(['cdk.tf.json']);
  });

  test('configuration that is no object, which would count as none at all', () => {
    put('cdk.tf.json', [{ resource: { null_resource: { a: {} } } }]);
    expect(() => run('plan')).toThrow('must hold the JSON object of a Terraform configuration');
  });

  test('configuration that a link leads to outside', () => {
    writeFileSync(join(folder, 'other.json'), '{ "canary": { "a": 1 } }');
    symlinkSync(join(folder, 'other.json'), join(folder, 'stack', 'cdk.tf.json'));
    expect(() => run('plan')).toThrow(/^(?!.*canary).*must be in the folder that names it/);
  });

  test.each(['test', 'query', 'a-command-of-tomorrow'])('the command %s', (command) => {
    put('cdk.tf.json', { output: { a: { value: 1 } } });
    expect(() => run(command)).toThrow(`modules, got: "${command}"`);
  });
});
